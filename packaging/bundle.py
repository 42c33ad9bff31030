"""Builds the application that needs neither Python nor Qt nor a network, for the system on which this runs.

    python3 packaging/bundle.py                  the folder, what it holds and under which licences, and on Linux its packages
    python3 packaging/bundle.py folder           build/bundle/affinecal, with the program affinecal in it
    python3 packaging/bundle.py packages         dist/: .tar.xz and .deb of the folder that is there, and their checksums
    python3 packaging/bundle.py sizes            how much each part takes, installed with pip and in the bundle
    python3 packaging/bundle.py version          the version, for scripts

Makes an environment of its own in build/bundle, with the libraries of packaging/bundling/pins.txt; needs Python alone
and, the first time, a network. Two builds of one commit give the same bytes. packaging/try_bundle.py tries what was built.
"""

import os
import sys

OLDEST, NEWEST = (3, 11), (3, 14)

if __name__ == "__main__":
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.exit(
            "bundle: this is Python %d.%d, but AffineCal needs Python %d.%d to %d.%d; start this with one of those, for "  # noqa: UP031
            "example: python3.12 packaging/bundle.py" % (sys.version_info[:2] + OLDEST + NEWEST)
        )
    os.environ["AFFINECAL_ENVIRONMENT"] = os.path.join("build", "bundle", "environment")  # noqa: PTH118 - see above
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - see above

    from bundling import steps

    try:
        sys.exit(steps.main(sys.argv[1:], __doc__))
    except KeyboardInterrupt:
        sys.exit(130)
