"""The events of meetings in the calendars of a firm (docs/decisions/0203)."""
