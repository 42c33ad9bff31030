"""What is kept in files: the study file and its parts, autosaves, recent studies, remembered choices."""
