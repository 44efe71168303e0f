"""The working hours of employees: a week with several hours a day."""
