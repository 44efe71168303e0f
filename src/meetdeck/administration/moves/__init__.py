"""Moving a tenant to another cell while it is served."""
