"""Reassigning: an absent advisor's meetings are given to other advisors."""
