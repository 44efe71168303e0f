"""What data a template wants: fields, an example, a schema."""
