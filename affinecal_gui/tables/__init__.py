"""Files -> typed, validated tables and back; matching by polymer identity.

Where to look, in the order in which a file passes through:

* ``reading`` is the door: it picks the reader by what the file contains. Each gives a ``raw_table.RawTable``: headings and
  cells of text, nothing changed. ``errors`` and ``problems`` are what can be wrong with a file and with a row.
* ``formats`` are the readers: CSV and other text, workbooks, JSON, SDF, Parquet; and what a file is that is no table.
* ``simulations`` reads folders of RadonPy results, and sets aside what failed its own check there and in tables of runs.
* ``text`` finds encoding, separator and headings among lines and rows of cells.
* ``words`` and ``single_numbers``: the words that stand for nothing, and one number in a text.
* ``units``: what is measured (``properties``), and how its units are typed and converted.
* ``headings``: what one heading says: words of many languages, units, conditions; the types of columns (``column_roles``).
* ``cells``: what one cell says: numbers with their decimal marks and deviations, conditions behind them.
* ``evidence``: what one column seems to be, by its heading and its cells.
* ``shapes``: tables with several rows for one polymer, or several tables in one sheet, rearranged.
* ``meaning``: ``roles`` decides what each column is for and says what has to be asked; ``remembered`` keeps the answers.
* ``values``: a ``PolymerTable`` of values in canonical units, and every row that cannot be used.
* ``matching``: the MD value of every measured polymer, suggestions for those without, units that look wrong.
* ``writing``: CSV files and workbooks, whole or not at all.
"""
