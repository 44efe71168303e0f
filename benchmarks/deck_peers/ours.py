"""Meetdeck: compile the template, once or for each deck, and build."""

from collections.abc import Callable

from deck_peers.job import Job
from meetdeck.present.deck import SlideRequest, build_deck, compile_template
from meetdeck.present.render.typefaces import installed_typefaces


def cold(job: Job, template: bytes) -> Callable[[], bytes]:
    """Return the function that makes a deck from the file's bytes."""
    requests = _requests(job)
    return lambda: build_deck(compile_template(template), requests, typefaces=installed_typefaces()).content


def warm(job: Job, template: bytes) -> Callable[[], bytes]:
    """Return the function that makes a deck from the compiled template."""
    requests, compiled = _requests(job), compile_template(template)
    return lambda: build_deck(compiled, requests, typefaces=installed_typefaces()).content


def _requests(job: Job) -> list[SlideRequest]:
    return [SlideRequest(f"Slide {slide.number}", slide.data) for slide in job.slides]
