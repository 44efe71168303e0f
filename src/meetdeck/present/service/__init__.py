"""The rules of the presentation service.

Functions that use the database take the request's connection. Slow work (compiling, building, rendering, storage) is
done by methods of classes, which are called outside the transaction.
"""
