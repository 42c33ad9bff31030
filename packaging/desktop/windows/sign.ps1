# Signs programs with the certificate of the environment: sign.ps1 FILE...
param([Parameter(Mandatory = $true, ValueFromRemainingArguments = $true)] [string[]] $Files)
$ErrorActionPreference = 'Stop'
$certificate = Join-Path $env:RUNNER_TEMP 'affinecal.pfx'
[IO.File]::WriteAllBytes($certificate, [Convert]::FromBase64String($env:WINDOWS_CERTIFICATE))
try {
    $tool = Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" | Sort-Object FullName | Select-Object -Last 1
    if (-not $tool) { throw 'There is no signtool.exe: the Windows SDK is not installed.' }
    foreach ($file in $Files) {
        & $tool.FullName sign /f $certificate /p $env:WINDOWS_CERTIFICATE_PASSWORD /fd SHA256 /tr http://timestamp.digicert.com /td SHA256 $file
        if ($LASTEXITCODE -ne 0) { throw "signtool could not sign $file." }
    }
}
finally { Remove-Item $certificate }
