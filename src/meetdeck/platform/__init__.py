"""What both services stand on: settings, database, storage, identity, HTTP edge."""
