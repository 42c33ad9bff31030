"""The commands, a module each: their options, and the service that does the work. Services are imported when they run."""
