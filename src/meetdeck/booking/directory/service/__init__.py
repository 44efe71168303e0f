"""What the directory decides, a file for each resource. All take the transaction's connection."""
