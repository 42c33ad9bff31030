"""The report: its content, its layout, and its two forms, HTML and PDF."""
