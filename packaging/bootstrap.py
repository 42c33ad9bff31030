"""From a fresh machine with Python alone to the running application or the passing tests.

    python3 packaging/bootstrap.py run  [FILES...] [--screenshot FILE.png]
    python3 packaging/bootstrap.py test [--python 3.13 | --python every] [--oldest] [PYTEST OPTIONS...]

Creates an environment in ``.venv`` inside this folder, installs what is needed and starts. A second run finds everything in
place and starts in seconds. ``--python`` and ``--oldest`` run the tests with another Python of this machine and with the
oldest libraries that are allowed, in environments of their own: see pythons.py. ``--hypothesis-profile search`` lets the
property-based tests draw other examples than the last time.

Whoever starts this with an old Python, 2.7 even, is to be told so: here is nothing that it does not understand, and what
does the work is in setting_up.py.
"""

import os
import sys

OLDEST, NEWEST = (3, 11), (3, 14)

if __name__ == "__main__":
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.exit(
            "bootstrap: this is Python %d.%d, but AffineCal needs Python %d.%d to %d.%d; start this with one of those, for "  # noqa: UP031
            "example: python3.12 packaging/bootstrap.py run" % (sys.version_info[:2] + OLDEST + NEWEST)
        )
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - see above

    import setting_up

    try:
        sys.exit(setting_up.main(sys.argv[1:], __doc__, OLDEST, NEWEST))
    except KeyboardInterrupt:
        sys.exit(130)
