"""uvicorn, its limits, and its sockets."""
