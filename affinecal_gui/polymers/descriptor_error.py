"""Why a polymer cannot be described."""

from affinecal_gui.errors import UserError


class DescriptorError(UserError):
    """A repeat unit that is understood, but has no force-field description; the text names the one reason."""
