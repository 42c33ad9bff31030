"""Colours, fonts, marks and style of the window, light and dark.

How to use it in a widget:

* **Once, in main:** ``keeper = ThemeKeeper(app)`` styles the application and follows the system's light/dark setting;
  ``keeper.set_choice("system" | "light" | "dark")`` overrides it; ``keeper.changed`` (a :class:`Theme`) tells whoever has
  more to colour, a view a step: ``keeper.continue_with(steps)``.
* **Plain Qt widgets** need nothing: the style sheet ``resources/styles/window.qss`` covers them. A label says what
  it is with ``set_kind(label, "note")``; the kinds are ``muted``, ``faint``, ``note`` (11 px muted), ``note-text``
  (11 px), ``smallest`` (10.5 px), ``view-title`` (13 px), ``section`` (12 px bold), ``section-title`` (14 px),
  ``summary`` (15 px), ``heading`` (20 px), ``welcome`` (26 px), ``purpose`` (14 px muted), ``invitation`` (13 px muted),
  ``step`` (bold, accent), ``value`` and ``strong`` (bold), ``good``, ``caution``, ``bad``; of a button: ``primary``,
  ``small``, ``large``, ``primary-large``, ``link``, ``flat``; of a frame:
  ``rule``, ``card``, ``table``, ``view`` (white ground), ``drop``, ``drop-active``; of an item view: ``framed``.
  Ready-made parts: :mod:`affinecal_gui.ui.parts.widgets`.
* **What you paint yourself** takes colours from ``theme.palette.<role>`` (``#rrggbb``) or ``theme.colour(role, alpha)``
  and fonts from ``theme.font(size, bold)``. Use :func:`current_theme` only where no theme is passed in;
  a widget learns of a change by ``QEvent.Type.PaletteChange`` in ``changeEvent`` or by its ``apply_theme``.
* **Icons:** ``icon("search", palette)`` or ``icon("check", palette, "good")``. Names: ``icons.icon_names()``.
* **Calibrators:** title, colour role and symbol of each come from :func:`model_style` and nowhere else.
"""
