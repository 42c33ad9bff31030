"""What the bundled program starts with, in the window's process and in each of its worker processes."""

from affinecal_gui.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
