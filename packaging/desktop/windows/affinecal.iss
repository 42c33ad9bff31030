; The installer for Windows: for one user, without an administrator. Compiled by Inno Setup 6, from the root of the checkout:
;   iscc /DVersion=0.1.0 packaging\desktop\windows\affinecal.iss
; after "python packaging\bundle.py folder" has made build\bundle\affinecal. The result is dist\affinecal-VERSION-windows-x64-setup.exe.
#ifndef Version
  #error Say the version: iscc /DVersion=X.Y.Z affinecal.iss
#endif
#define Root SourcePath + "..\..\.."

[Setup]
AppId={{6B0C5B7C-3B0E-4C2E-9C39-6C9B7B0F5A11}
AppName=AffineCal
AppVersion={#Version}
AppVerName=AffineCal {#Version}
AppPublisher=The AffineCal developers
DefaultDirName={localappdata}\Programs\AffineCal
DefaultGroupName=AffineCal
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile={#Root}\LICENSE
OutputDir={#Root}\dist
OutputBaseFilename=affinecal-{#Version}-windows-x64-setup
SetupIconFile={#Root}\build\bundle\icons\affinecal.ico
UninstallDisplayIcon={app}\AffineCalWindow.exe
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
CloseApplications=yes

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked

[InstallDelete]
; The libraries of an earlier version must not be found beside those of this one.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Root}\build\bundle\affinecal\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\AffineCal"; Filename: "{app}\AffineCalWindow.exe"
Name: "{autodesktop}\AffineCal"; Filename: "{app}\AffineCalWindow.exe"; Tasks: desktopicon

[Run]
Filename: "{app}\AffineCalWindow.exe"; Description: "{cm:LaunchProgram,AffineCal}"; Flags: nowait postinstall skipifsilent

#include "affinecal.iss.part"
