"""What the presentation service takes and answers: its resources, bodies and queries."""
