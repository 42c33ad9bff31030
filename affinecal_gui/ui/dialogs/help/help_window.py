"""The help window: contents with a search at the left, the document at the right, beside the window it explains."""

from PySide6.QtCore import QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from affinecal_gui.ui.dialogs.help.help_pages import HelpPage, Section, help_pages, table_path
from affinecal_gui.ui.dialogs.help.help_text import HelpText
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme, icon
from affinecal_gui.ui.parts.widgets.labels import label, rule
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton

FIRST_SIZE = QSize(1080, 760)
SMALLEST = QSize(560, 400)
CONTENTS_WIDTH = 250
_PLACE = Qt.ItemDataRole.UserRole  # page and anchor of a line of the contents
_DEEPEST = 3  # level of headings that stand in the contents


class HelpWindow(QWidget):
    """Shows the documents of the program. It has no parent: a dialog that must be answered first does not block it."""

    web_page_wanted = Signal(QUrl)  # the user clicked on a link that leads out of the documents
    table_wanted = Signal(str)  # path of a table of the program that the user clicked on

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("helpWindow")
        self.setWindowTitle("AffineCal help")
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        set_kind(self, "view")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._pages: dict[str, HelpPage] = {page.name: page for page in help_pages()}
        self._history: list[tuple[str, str]] = []  # page and anchor
        self._position = -1  # in the history
        self.pages: list[QTreeWidgetItem] = []  # lines of the contents, one per page
        self.search = QLineEdit()
        self.search.setObjectName("helpSearch")
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Search the documents")
        self.search.setClearButtonEnabled(True)
        self._search_icon = self.search.addAction(
            icon("search", current_theme().palette, "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.contents = QTreeWidget()
        self.contents.setObjectName("helpContents")
        self.contents.setAccessibleName("Contents")
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(14)
        self.contents.setUniformRowHeights(True)
        self.nothing_found = label("", "muted", wrap=True)
        self.nothing_found.setContentsMargins(8, 4, 8, 4)
        self.text = HelpText()
        self.back_button = ThemedToolButton("chevron_left", "Back")
        self.forward_button = ThemedToolButton("chevron_right", "Forward")
        self._arrange()
        self._fill()
        self.search.textChanged.connect(self._look_for)
        self.search.returnPressed.connect(self._go_to_first)
        self.contents.currentItemChanged.connect(self._go_to_item)
        self.text.link_followed.connect(self._follow)
        self.back_button.clicked.connect(self.go_back)
        self.forward_button.clicked.connect(self.go_forward)
        for keys, slot in (
            (QKeySequence.StandardKey.Back, self.go_back),
            (QKeySequence.StandardKey.Forward, self.go_forward),
            (QKeySequence.StandardKey.Find, self._focus_search),
            (QKeySequence.StandardKey.Close, self.close),
            (QKeySequence(Qt.Key.Key_Escape), self.close),
        ):
            QShortcut(keys, self).activated.connect(slot)
        self._show_history()

    def _arrange(self) -> None:
        side = QWidget()
        left = QVBoxLayout(side)
        left.setContentsMargins(8, 8, 0, 0)
        left.setSpacing(8)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 8, 0)
        head.setSpacing(2)
        head.addWidget(self.back_button)
        head.addWidget(self.forward_button)
        head.addSpacing(4)
        head.addWidget(self.search, 1)
        left.addLayout(head)
        left.addWidget(self.nothing_found)
        left.addWidget(self.contents, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(side)
        self.splitter.addWidget(self.text)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([CONTENTS_WIDTH, FIRST_SIZE.width() - CONTENTS_WIDTH])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(rule())
        box.addWidget(self.splitter, 1)
        self.nothing_found.hide()

    def _fill(self) -> None:
        """List every page with its headings."""
        for page in self._pages.values():
            parents: list[tuple[int, QTreeWidgetItem]] = []
            for section in page.sections:
                if section.level > _DEEPEST:
                    continue
                while parents and parents[-1][0] >= section.level:
                    parents.pop()
                item = QTreeWidgetItem([section.title])
                item.setData(0, _PLACE, (section.page, "" if section.level == 1 else section.anchor))
                item.setToolTip(0, section.title)
                if parents:
                    parents[-1][1].addChild(item)
                else:
                    self.contents.addTopLevelItem(item)
                    self.pages.append(item)
                parents.append((section.level, item))

    # -- going somewhere ------------------------------------------------------------------------------------------

    def open(self, page: str, anchor: str = "") -> None:
        """Show a page, at a heading if one is named."""
        if page not in self._pages:
            return
        if self._history[self._position : self._position + 1] != [(page, anchor)]:
            del self._history[self._position + 1 :]
            self._history.append((page, anchor))
            self._position = len(self._history) - 1
        self._go(page, anchor)

    @property
    def place(self) -> tuple[str, str]:
        """Page and anchor that were opened last."""
        return self._history[self._position] if self._history else ("", "")

    @Slot()
    def go_back(self) -> None:
        """Return to where the reader was before."""
        if self._position > 0:
            self._position -= 1
            self._go(*self._history[self._position])

    @Slot()
    def go_forward(self) -> None:
        """Go where the reader came back from."""
        if self._position + 1 < len(self._history):
            self._position += 1
            self._go(*self._history[self._position])

    def _go(self, page: str, anchor: str) -> None:
        self.text.show_page(self._pages[page])
        if anchor:
            self.text.show_section(anchor)
        self._show_place(page, anchor)
        self._show_history()

    def _show_history(self) -> None:
        self.back_button.setEnabled(self._position > 0)
        self.forward_button.setEnabled(self._position + 1 < len(self._history))

    def _show_place(self, page: str, anchor: str) -> None:
        """Select the line of the contents, without going there a second time."""
        item = self.item_of(page, anchor) or self.item_of(page, "")
        if item is not None:
            self.contents.blockSignals(True)
            if not self.search.text():  # whose findings stay open
                for title in self.pages:
                    title.setExpanded(title.data(0, _PLACE)[0] == page)
            self.contents.setCurrentItem(item)
            item.setExpanded(True)
            self.contents.scrollToItem(item)
            self.contents.blockSignals(False)

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        """Follow a link: inside the documents here, anything else by whoever listens."""
        page = url.path() or self.text.page_name
        if url.isRelative() and page in self._pages:
            self.open(page, url.fragment(QUrl.ComponentFormattingOption.FullyDecoded))
        elif url.isRelative():
            path = table_path(url.path())
            if path:
                self.table_wanted.emit(path)
        elif url.scheme() in {"http", "https"}:
            self.web_page_wanted.emit(url)

    @Slot(QTreeWidgetItem)
    def _go_to_item(self, item: QTreeWidgetItem | None, _previous: QTreeWidgetItem | None = None) -> None:
        if item is not None:
            self.open(*item.data(0, _PLACE))

    # -- searching ------------------------------------------------------------------------------------------------

    @Slot(str)
    def _look_for(self, text: str) -> None:
        """Keep the sections in the contents that hold every word, and mark the words in the text."""
        words = tuple(text.casefold().split())
        found = {
            (section.page, "" if section.level == 1 else section.anchor)
            for page in self._pages.values()
            for section in _listed(page)
            if section.holds(words)
        }
        for item in self.pages:
            _keep(item, found, expand=bool(words))
        self.nothing_found.setText(f"No section holds “{text.strip()}”.")
        self.nothing_found.setVisible(not found)
        self.text.mark_words(words)

    @Slot()
    def _go_to_first(self) -> None:
        """Go to the first section found, or to the next one."""
        words = tuple(self.search.text().casefold().split())
        places = [
            (section.page, "" if section.level == 1 else section.anchor)
            for page in self._pages.values()
            for section in _listed(page)
            if section.holds(words)
        ]
        if words and places:
            at = places.index(self.place) + 1 if self.place in places else 0
            self.open(*places[at % len(places)])

    @Slot()
    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    # -- appearance -----------------------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._search_icon.setIcon(icon("search", theme.palette, "muted"))
        self.text.apply_theme(theme)

    def item_of(self, page: str, anchor: str) -> QTreeWidgetItem | None:
        """Return the line of the contents for a section; the first of the page without an anchor."""
        waiting = list(self.pages)
        while waiting:
            item = waiting.pop()
            if item.data(0, _PLACE) == (page, anchor):
                return item
            waiting += [item.child(number) for number in range(item.childCount())]
        return None


def _listed(page: HelpPage) -> list[Section]:
    """Return the sections that stand in the contents; deeper ones are searched with the one they belong to."""
    return [section for section in page.sections if section.level <= _DEEPEST]


def _keep(item: QTreeWidgetItem, found: set[tuple[str, str]], *, expand: bool) -> bool:
    """Show a line if it or one below it was found; returns whether it is shown."""
    below = [_keep(item.child(number), found, expand=expand) for number in range(item.childCount())]
    shown = any(below) or item.data(0, _PLACE) in found
    item.setHidden(not shown)
    item.setExpanded(expand and any(below))
    return shown
