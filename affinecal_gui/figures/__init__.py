"""Results -> publication figures and reports. No Qt.

``parity`` and ``plots`` are the figures, a module each; ``report`` the report. ``style``, ``ticks``, ``labels``, ``key`` and
``sheet`` are shared by all, ``saving`` makes files.
"""
