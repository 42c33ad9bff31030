"""The face for Python users: data frames in, data frames and figures out (the services of the study do the work)."""
