"""The console: where staff see a firm and run it, in a browser (docs/console.md)."""
