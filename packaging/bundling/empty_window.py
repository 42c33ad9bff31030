"""The least that shows a window: what the start of the program is measured by."""

import sys

from PySide6.QtWidgets import QApplication, QMainWindow

application = QApplication(sys.argv[:1])
window = QMainWindow()
window.resize(1500, 950)
window.show()
application.exec()
