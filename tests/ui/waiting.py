"""Waiting for what has been set going, without a time."""

from PySide6.QtCore import QCoreApplication, QEvent


def deliver_all() -> None:
    """Deliver what has been posted to the main thread until now, such as the signals of threads that have ended."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
