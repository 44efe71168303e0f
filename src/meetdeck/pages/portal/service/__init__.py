"""What a portal offers, its free times, holds, bookings, and the meetings that customers manage."""
