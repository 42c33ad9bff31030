/* Stands in for the programs of the bundle where the installer is tried without them: says its version, or keeps the names of
   the files that it is asked to open, in UTF-8, in opened.txt of the user's folder. */
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>

int main(void) {
    int count;
    LPWSTR *words = CommandLineToArgvW(GetCommandLineW(), &count);
    if (count > 1 && wcscmp(words[1], L"--version") == 0) {
        puts("AffineCal " VERSION);
        return 0;
    }
    char text[4 * MAX_PATH];
    GetEnvironmentVariableA("USERPROFILE", text, MAX_PATH);
    FILE *kept = fopen(strcat(text, "\\opened.txt"), "ab");
    for (int number = 1; kept && number < count; number++) {
        WideCharToMultiByte(CP_UTF8, 0, words[number], -1, text, sizeof text, NULL, NULL);
        fprintf(kept, "%s\n", text);
    }
    return kept ? fclose(kept) : 1;
}
