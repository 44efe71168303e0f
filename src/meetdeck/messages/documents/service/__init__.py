"""Planning documents of meetings, requesting their data, making and listing them."""
