"""The console, where staff see and run a firm in a browser (docs/console.md)."""
