"""The booking service: slots, reservations, meetings and the configuration they need."""
