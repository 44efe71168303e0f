"""`{{chart:sales}}`: native charts and their workbooks from the data."""
