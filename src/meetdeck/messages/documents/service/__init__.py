"""Planning, asking for data, making and listing documents of meetings."""
