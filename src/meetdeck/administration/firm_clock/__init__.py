"""The clock of a firm, which tests of the test environment move, so that what takes days happens in seconds."""
