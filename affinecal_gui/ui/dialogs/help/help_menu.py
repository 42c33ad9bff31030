"""What the menus say of the help: the documents that have a line there, and the key of the one about the present view."""

GUIDE, TUTORIAL, GLOSSARY, METHOD = "guide.md", "tutorial.md", "glossary.md", "method.md"
HELP_KEY = "F1"
