"""How hypothesis tries things here: without a deadline, which on a busy machine says more about the machine."""

from hypothesis import settings

settings.register_profile("without_deadline", deadline=None)
settings.load_profile("without_deadline")
