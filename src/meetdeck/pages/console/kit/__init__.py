"""What every page of the console stands on: the session, the API, answers, menus, pickers."""
