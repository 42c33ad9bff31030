"""What is made of a finished calibration: tables, workbook, figures, report, inspection of a polymer."""
