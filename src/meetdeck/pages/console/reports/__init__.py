"""Reports: how much is booked, by whom, how long in advance, and how full the hours are."""
