"""The dialogs and what opens them."""
