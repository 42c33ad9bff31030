#!/bin/sh
# Puts AffineCal into this user's menu and makes its files open by a double-click; "--remove" takes it away again.
# In an unpacked archive the menu starts the program that lies there; from a checkout, the affinecal of the user's PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
icon="$here/affinecal.svg"
[ -f "$icon" ] || icon="$here/../../../resources/icons/affinecal.svg"
data="${XDG_DATA_HOME:-$HOME/.local/share}"

put() { # what, folder, name
    if [ "$action" = remove ]; then
        rm -f "$data/$2/$3"
    else
        mkdir -p "$data/$2"
        cp "$1" "$data/$2/$3"
    fi
}

action=install
[ "${1:-}" = "--remove" ] && action=remove
put "$here/affinecal.desktop" applications affinecal.desktop
put "$here/affinecal.xml" mime/packages affinecal.xml
put "$icon" icons/hicolor/scalable/apps affinecal.svg
put "$icon" icons/hicolor/scalable/mimetypes application-x-affinecal-study.svg
put "$icon" icons/hicolor/scalable/mimetypes application-x-affinecal-model.svg
program="$here/../affinecal"
if [ "$action" = install ] && [ -x "$program" ]; then
    program=$(cd "$here/.." && pwd)/affinecal
    # The path may hold spaces, which the menu reads between quotation marks, and signs that mean something there, or to sed.
    quoted=$(printf '%s' "$program" | sed 's/\\/\\\\\\\\/g; s/["`$]/\\\\&/g; s/%/%%/g' | sed 's/[&|\\]/\\&/g')
    sed "s|^Exec=affinecal|Exec=\"$quoted\"|" "$here/affinecal.desktop" >"$data/applications/affinecal.desktop"
fi
# Without these two programs the desktop finds the files by itself, a little later.
if command -v update-mime-database >/dev/null; then mkdir -p "$data/mime/packages" && update-mime-database "$data/mime"; fi
if command -v update-desktop-database >/dev/null; then mkdir -p "$data/applications" && update-desktop-database "$data/applications"; fi
