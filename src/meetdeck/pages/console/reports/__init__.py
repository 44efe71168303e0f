"""Reports: how much is booked, by whom, how long before, and how full the hours are."""
