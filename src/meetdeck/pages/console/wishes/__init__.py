"""The waiting list: customers who found no time, and what is held for them."""
