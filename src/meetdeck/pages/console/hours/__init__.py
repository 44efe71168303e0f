"""The working hours of employees: a week with several periods a day."""
