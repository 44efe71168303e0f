"""What the presentation service decides.

What touches the database takes the request's connection. What is slow (compiling, building, rendering, storage) is a
method of a class and is called outside the transaction.
"""
