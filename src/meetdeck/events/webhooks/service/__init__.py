"""The rules of webhooks: who receives what, how it is signed, when it is tried again."""
