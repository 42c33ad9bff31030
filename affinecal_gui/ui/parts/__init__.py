"""How everything looks: theme, icons, fonts, and the small parts that every panel is built from."""
