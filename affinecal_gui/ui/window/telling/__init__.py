"""What the window tells: the bar of messages, the status line, the log."""
