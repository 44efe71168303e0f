"""The pages of subscription keys and clients, and of the requests with them."""
