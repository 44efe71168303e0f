"""`meetdeck template upload`: a folder of templates, checked here or uploaded to a running service."""
