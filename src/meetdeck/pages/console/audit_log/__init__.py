"""The audit log: the changes of configuration, templates, keys and clients, with their authors."""
