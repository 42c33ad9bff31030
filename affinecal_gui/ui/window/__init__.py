"""The window as a whole: where its parts lie, and which part is fed when."""
