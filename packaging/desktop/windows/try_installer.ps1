# Installs what Inno Setup made for this user without a question, starts the program, and uninstalls it.
$ErrorActionPreference = 'Stop'
$setup = Get-Item dist\*-setup.exe
$place = Join-Path $env:LOCALAPPDATA 'Programs\AffineCal'
$done = Start-Process $setup.FullName '/VERYSILENT /SUPPRESSMSGBOXES /CURRENTUSER /NORESTART' -Wait -PassThru
if ($done.ExitCode -ne 0) { throw "The installer ended with $($done.ExitCode)." }
& "$place\affinecal.exe" --version
if ($LASTEXITCODE -ne 0) { throw 'The installed program does not start.' }
$said = (Get-ItemProperty 'HKCU:\Software\Classes\.affinecal').'(default)'
if ($said -ne 'AffineCal.Study') { throw 'Studies do not open by a double-click.' }
$done = Start-Process "$place\unins000.exe" '/VERYSILENT /SUPPRESSMSGBOXES /NORESTART' -Wait -PassThru
if ($done.ExitCode -ne 0) { throw "The uninstaller ended with $($done.ExitCode)." }
foreach ($second in 1..30) { if (Test-Path $place) { Start-Sleep 1 } }
if (Test-Path $place) { throw "Files are left in $place." }
foreach ($key in '.affinecal', '.affinecal-model', 'AffineCal.Study', 'AffineCal.Calibrator', 'Applications\AffineCalWindow.exe') {
    if (Test-Path "HKCU:\Software\Classes\$key") { throw "$key is left in the registry." }
}
