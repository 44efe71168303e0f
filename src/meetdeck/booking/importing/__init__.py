"""Importing files of employees, rooms, schedules and groups: all or nothing (docs/importing.md).

`files` yields rows, `intake` makes bodies of them and names all that is wrong, `resources` and those that follow it say
what each kind is and write it, `service` puts these in order inside one transaction.
"""
