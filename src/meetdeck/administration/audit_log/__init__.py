"""The audit log: read by API and command, erased after its time."""
