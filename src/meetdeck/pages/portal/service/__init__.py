"""The services of a portal: offers, free times, holds, bookings, and the meetings that customers manage."""
