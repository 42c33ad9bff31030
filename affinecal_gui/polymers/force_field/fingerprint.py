"""Whether two installations have the same force field: a hash of its tables."""

import hashlib
from functools import cache

from affinecal_gui.bundled import resources

_TABLES = ".csv"


@cache
def force_field_fingerprint() -> str:
    """Return the SHA-256, hexadecimal, of all tables of parameters, whatever their line ends.

    Descriptors follow from these tables: two installations that differ in one have other descriptors.
    """
    digest = hashlib.sha256()
    folder = resources() / "force_fields"
    for table in sorted((one for one in folder.iterdir() if one.name.endswith(_TABLES)), key=lambda one: one.name):
        content = table.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{table.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
