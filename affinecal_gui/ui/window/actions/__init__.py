"""What can be done in the window: the actions, their menus, the tool bar, and where each wish goes."""
