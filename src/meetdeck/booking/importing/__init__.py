"""Importing files of employees, rooms, schedules and groups: all or nothing (docs/importing.md).

`files` yields rows, `intake` turns them into bodies and reports all problems, the subclasses of `Resource` read and
write each kind, `service` runs it all inside one transaction.
"""
