"""The data that a template needs: its fields, an example, a JSON Schema."""
