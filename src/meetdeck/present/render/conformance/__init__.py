"""PDFs that conform to PDF/UA-1 (ISO 14289-1) and PDF/A-2b (ISO 19005-2), converted from a renderer's PDFs."""
