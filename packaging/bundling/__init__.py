"""What packaging/bundle.py is made of: an environment, a folder, what is left out of it, its bill of materials, packages."""
