"""The application: one study, its commands with undo, and the services that run anywhere. No Qt."""
