"""What can be done in the window: the actions, their menus and the tool bar."""
