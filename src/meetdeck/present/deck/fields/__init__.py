"""The data that a template wants: its fields, an example, a JSON Schema."""
