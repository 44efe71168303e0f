"""What is kept or handed out so that nobody else can read or change it."""
