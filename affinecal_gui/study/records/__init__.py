"""What files of a study are made of: records as JSON, tables as CSV, members of a zip archive; locks."""
