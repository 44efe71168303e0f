"""Bookings on portals that wait until the customer has confirmed the e-mail address."""
