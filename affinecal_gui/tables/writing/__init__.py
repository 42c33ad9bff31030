"""Tables -> files: CSV and workbooks."""
