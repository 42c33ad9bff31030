#!/bin/sh
# Makes the disk image for macOS of the application that "python3 packaging/bundle.py folder" has built.
#   sh packaging/desktop/macos/make_dmg.sh VERSION
# Signs and notarizes where AFFINECAL_MACOS_IDENTITY and AFFINECAL_NOTARY_PROFILE name an identity and a profile of notarytool.
set -eu
version=${1:?say the version: make_dmg.sh X.Y.Z}
root=$(cd "$(dirname "$0")/../../.." && pwd)
app="$root/build/bundle/AffineCal.app"
folder="$root/build/bundle/affinecal"
image="$root/dist/affinecal-$version-macos-$(uname -m).dmg"
for tool in hdiutil codesign; do
    command -v "$tool" >/dev/null || { echo "make_dmg: there is no $tool; this runs on macOS only." >&2; exit 2; }
done
[ -d "$app" ] || { echo "make_dmg: $app is not there; run python3 packaging/bundle.py folder first." >&2; exit 2; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -R "$app" "$stage/"
# Beside the application, which is signed and must not change any more.
cp -R "$folder/licences" "$folder/affinecal.cdx.json" "$stage/"
ln -s /Applications "$stage/Applications"
mkdir -p "$root/dist"
rm -f "$image"
hdiutil create -volname "AffineCal $version" -srcfolder "$stage" -fs HFS+ -format UDZO "$image"
if [ -n "${AFFINECAL_MACOS_IDENTITY:-}" ]; then
    codesign --verify --deep --strict "$app"
    codesign --sign "$AFFINECAL_MACOS_IDENTITY" --timestamp "$image"
fi
if [ -n "${AFFINECAL_NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$AFFINECAL_NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
