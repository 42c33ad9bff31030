"""Where the parts of the window lie: docks, tabs or side by side, one view in the whole window."""
