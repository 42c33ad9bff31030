#!/bin/sh
# Puts the certificate of the environment where codesign finds it, and the account where notarytool does. For a hosted runner.
set -eu
keychain="$RUNNER_TEMP/affinecal.keychain-db"
password=$(openssl rand -hex 16)
printf '%s' "$MACOS_CERTIFICATE" | base64 --decode >"$RUNNER_TEMP/affinecal.p12"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$RUNNER_TEMP/affinecal.p12" -P "$MACOS_CERTIFICATE_PASSWORD" -A -t cert -f pkcs12 -k "$keychain"
security set-key-partition-list -S apple-tool:,apple: -k "$password" "$keychain" >/dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
rm "$RUNNER_TEMP/affinecal.p12"
if [ -n "${MACOS_NOTARY_APPLE_ID:-}" ]; then
    xcrun notarytool store-credentials affinecal --apple-id "$MACOS_NOTARY_APPLE_ID" \
        --team-id "$MACOS_NOTARY_TEAM_ID" --password "$MACOS_NOTARY_PASSWORD"
fi
