"""Which methods with kernels are compared beside the linear calibrators, and with which kernels."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.names import KERNEL_MEANINGS, KERNEL_TITLES, calibrator_title
from affinecal_gui.calibration.results import KernelName, TransferName
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton

_OF_THE_FACTOR = "AffineTL-full alone multiplies what the descriptors say by a function g₂ of the MD value."


def in_short(name: TransferName) -> str:
    """Return what a method does, without when that is good, which its explanation says first."""
    return model_style(name).explanation.partition(": ")[2].rstrip(".")


class MethodsMenu(QWidget):
    """A button whose menu ticks methods; every tick goes out as new settings."""

    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = Settings()
        self._further: tuple[Property, ...] = ()
        self.button = ThemedToolButton(
            "chevron_down", "Choose methods with kernels to compare", "Compare more methods…"
        )
        self.button.setObjectName("methodsButton")
        self.button.clicked.connect(self._open)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take over the choices of a snapshot."""
        self._settings = snapshot.settings
        self._further = snapshot.further_md
        count = len(snapshot.settings.methods)
        self.button.setText(f"{count} of {len(kernel_keys())} further methods…" if count else "Compare more methods…")

    def menu(self) -> QMenu:
        """Return what the button offers, as it stands."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        every = menu.addAction("All methods with kernels")
        every.setCheckable(True)
        every.setChecked(len(self._settings.methods) == len(kernel_keys()))
        every.toggled.connect(lambda on: self._choose(kernel_keys() if on else ()))
        menu.addSeparator()
        for name in kernel_keys():
            # Behind a tab stands what is set apart, as keys are.
            action = menu.addAction(f"{calibrator_title(name, log_scale=True)}\t{in_short(name)}")
            action.setToolTip(model_style(name).explanation)
            action.setCheckable(True)
            action.setChecked(name in self._settings.methods)
            action.toggled.connect(self._toggler(name))
        menu.addSeparator()
        self._add_kernels(menu, "Kernel of the MD value", "kernel_source", KERNEL_TITLES)
        self._add_kernels(
            menu, "Kernel of the MD value in g₂", "kernel_factor", {None: "That of the MD value"} | KERNEL_TITLES
        )
        self._add_kernels(menu, "Kernel of the descriptors", "kernel_target", KERNEL_TITLES)
        if self._further:
            inner = menu.addMenu("Learn from further MD properties")
            for quantity in self._further:
                action = inner.addAction(quantity.title)
                action.setCheckable(True)
                action.setChecked(quantity.key in self._settings.sources)
                action.toggled.connect(self._source_toggler(quantity.key))
        return menu

    @Slot()
    def _open(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))

    def _add_kernels(
        self, menu: QMenu, title: str, setting: str, titles: Mapping[KernelName, str] | Mapping[KernelName | None, str]
    ) -> None:
        inner = menu.addMenu(title)
        inner.setToolTipsVisible(True)
        group = QActionGroup(inner)
        for kernel, name in titles.items():
            action = QAction(name, group)
            action.setToolTip(_OF_THE_FACTOR if kernel is None else KERNEL_MEANINGS[kernel])
            action.setCheckable(True)
            action.setChecked(kernel == getattr(self._settings, setting))
            wish: dict[str, Any] = {setting: kernel}
            action.triggered.connect(lambda _on, wish=wish: self.settings_changed.emit(replace(self._settings, **wish)))
            inner.addAction(action)

    def _toggler(self, name: TransferName) -> Callable[[bool], None]:
        def toggle(on: bool) -> None:
            wanted = {*self._settings.methods, name} if on else {*self._settings.methods} - {name}
            self._choose(tuple(method for method in kernel_keys() if method in wanted))

        return toggle

    def _source_toggler(self, key: str) -> Callable[[bool], None]:
        def toggle(on: bool) -> None:
            wanted = {*self._settings.sources, key} if on else {*self._settings.sources} - {key}
            sources = tuple(quantity.key for quantity in self._further if quantity.key in wanted)
            self.settings_changed.emit(replace(self._settings, sources=sources))

        return toggle

    def _choose(self, methods: tuple[TransferName, ...]) -> None:
        settings = replace(self._settings, methods=methods)
        if settings.model in kernel_keys() and settings.model not in methods:
            settings = replace(
                settings, model=Settings().model, follows_advice=True
            )  # what is shown large must be there
        self.settings_changed.emit(settings)
