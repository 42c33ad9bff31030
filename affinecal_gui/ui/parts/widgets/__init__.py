"""Small parts that every panel is built from; they colour themselves and follow a change of theme without being told.

========================= ======================================================================================
:mod:`headers`            title bar of a dock, first line of a view
:mod:`section_heading`    bold title, thin rule, muted detail; folds its body when told ``set_body(widget)``
:mod:`info_line`          check, caution, info or left-out sign with a wrapped sentence (rich text, links)
:mod:`tool_buttons`       flat button with an icon, question mark that explains, button that reads as a link
:mod:`segmented_buttons`  one of a few: ``SegmentedButtons((("log", "Logarithmic"), ("linear", "Linear")), "Scale")``
:mod:`value_table`        label, value, note in aligned columns; framed or plain
:mod:`themed_icons`       an icon that is no button
:mod:`labels`             a label of a kind, plain text that ends in an ellipsis, a thin line
:mod:`rows`               controls side by side, or below each other
========================= ======================================================================================
"""
