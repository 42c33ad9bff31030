"""The main thread and the others: jobs, cancelling, turns of the event loop, memory, signals that end the program."""
