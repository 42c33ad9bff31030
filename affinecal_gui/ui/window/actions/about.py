"""What the window says about the program."""

from affinecal_gui import __version__

TITLE = "About AffineCal"
TEXT = (
    f"AffineCal {__version__}\n\nCorrects molecular-dynamics values of polymer properties with the few measurements "
    "you have.\n\nPlease cite the method: S. Minami, K. Fukumizu, Y. Hayashi and R. Yoshida, Transfer Learning with "
    "Affine Model Transformation, Advances in Neural Information Processing Systems 36 (NeurIPS 2023), "
    "proceedings.neurips.cc/paper_files/paper/2023.\n\n"
    "Copyright 2026 The AffineCal developers. MIT licence: free to use, change and pass on, without warranty. The "
    "licences of the bundled data and typefaces are in NOTICE.md."
)
