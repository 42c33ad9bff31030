"""Chemistry: text -> repeat unit -> infinite chain -> force-field terms -> descriptor blocks. No files, no statistics."""
