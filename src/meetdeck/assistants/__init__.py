"""The Model Context Protocol at `/mcp`: eight tools by which assistants book meetings and build decks."""
