"""Competence groups: the employees who serve topics and customer types."""
