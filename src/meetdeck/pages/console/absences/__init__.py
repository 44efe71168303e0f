"""Absences, extra hours and days at another place: for one or many employees, once or repeated."""
