"""Files -> typed, validated tables and back; matching by polymer identity.

Where to look, in the order in which a file passes through:

* ``reading`` picks the reader by what the file contains; ``text_tables``, ``workbooks``, ``json_records``, ``sdf_files`` and
  ``parquet_files`` are the readers, and each gives a ``raw_table.RawTable``: headings and cells of text, nothing changed.
* ``other_files`` says what a file is that is no table, a pointer of a repository for instance.
* ``encodings``, ``text_records``, ``layout`` and ``plain_blocks`` serve the text reader; ``workbook_process`` the workbooks,
  ``json_shapes`` JSON; ``cell_rows`` find the headings among rows of cells.
* ``polymer_by_row`` rearranges tables with several rows for one polymer or property (``long_tables``, ``comonomer_rows``).
* ``roles`` guesses what each column is for and says what has to be asked, with the help of ``column_evidence`` (headings
  by ``heading_words``, and contents), ``file_kind`` (measured or simulated) and ``unit_guesses``; ``column_roles`` are the
  types, ``remembered`` keeps the answers. ``polymer_roles`` finds the columns of repeat units, ``composition_columns`` and
  ``copolymer_columns`` those of copolymers, ``mixture_headings`` what else samples consist of, ``tables_beside`` several
  tables in one sheet; ``named_columns`` are those that the user names.
* ``numbers`` reads cells, ``units`` converts them, ``properties`` knows what is measured.
* ``polymer_table`` makes a ``PolymerTable`` of values in canonical units (``value_columns``) and lists every row that
  cannot be used (``problems``); ``outlying_values`` and ``missing_marks`` find numbers that are probably none; ``filters``
  leaves out temperatures and phases.
* ``polymer_reports`` puts the rows of one polymer together, ``differing_conditions`` says in what they differ, and
  ``common_ids`` compares the ids of two tables (``ids``); ``own_names`` finds properties of the user's own that two tables
  call differently;
  ``matching`` finds the MD value of every measured polymer; ``suggestions`` the nearest for those without;
  ``unit_suspicion`` asks about a wrong unit; ``match_report`` writes it all down.
* ``export`` writes CSV files, whole or not at all.
"""
