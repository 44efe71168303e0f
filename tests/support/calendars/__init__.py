"""iCalendar files for tests, and another library that reads them."""
