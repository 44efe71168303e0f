"""The waiting list: customers who found no time, and the times offered to them."""
