#!/bin/sh
# Run by packaging/try_installer.py in a bare Debian with Wine, on a screen in memory, in a folder that has all it needs:
# compiles two versions of the installer, installs the one over the other, opens a file of each kind, and uninstalls. After
# each step the files of the drive and the user's registry are kept; try_installer.py looks at them.
#   sh try_in_wine.sh VERSION NEXT_VERSION
set -eux
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
work=$(pwd)
drive="$HOME/.wine/drive_c"
user="$drive/users/$(id -un)"
program="$user/AppData/Local/Programs/AffineCal"

keep() { # name
    timeout 60 wineserver -w
    cp "$HOME/.wine/user.reg" "$work/$1.reg"
    (cd "$drive" && find . | sort) >"$work/$1.files"
}

compile() { # version
    rm -rf checkout/build/bundle/affinecal
    cp -R "folder-$1" checkout/build/bundle/affinecal
    (cd checkout && timeout 300 wine /opt/inno/ISCC.exe /Q "/DVersion=$1" 'packaging\desktop\windows\affinecal.iss')
}

install() { # version
    timeout 300 wine "checkout/dist/affinecal-$1-windows-x64-setup.exe" /VERYSILENT /SUPPRESSMSGBOXES /CURRENTUSER /NORESTART
}

timeout 300 wineboot -i
# A new drive says that it is Windows 7, which the installer refuses.
timeout 60 wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f
compile "$1"
compile "$2"
mkdir "$user/My studies"
cp study.affinecal "$user/My studies/größte Stüdie.affinecal"
cp study.affinecal "$user/My studies/one.affinecal-model"
keep before

install "$1"
keep first
install "$2"
keep second
timeout 60 wine "$program/affinecal.exe" --version >said.txt
cp -R "$program" installed
# This Wine looks for types of files where those for everybody are, and not at those of one user.
for key in .affinecal .affinecal-model AffineCal.Study AffineCal.Calibrator; do
    timeout 60 wine reg copy "HKCU\\Software\\Classes\\$key" "HKLM\\Software\\Classes\\$key" /s /f
done
for name in 'größte Stüdie.affinecal' one.affinecal-model; do
    timeout 60 wine start /wait /unix "$user/My studies/$name"
done
timeout 60 wineserver -w
cp "$user/opened.txt" opened.txt

cp study.affinecal "$program/beside the program.affinecal"
timeout 300 wine "$program/unins000.exe" /VERYSILENT /SUPPRESSMSGBOXES /NORESTART
keep after
cmp study.affinecal "$user/My studies/größte Stüdie.affinecal"
cmp study.affinecal "$program/beside the program.affinecal"
