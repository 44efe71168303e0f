"""The base of the console's controllers."""

from typing import Final

from litestar import Controller
from litestar.exceptions import HTTPException

from meetdeck.pages.console.kit.answers import (
    answer_api_refusal,
    answer_defect,
    answer_framework_refusal,
    answer_not_signed_in,
    answer_refusal,
    answer_sign_in_too_old,
)
from meetdeck.pages.console.kit.api import ApiRefusal
from meetdeck.pages.console.kit.requests import PAGE_DEPENDENCIES, NotSignedIn, SignInTooOld
from meetdeck.pages.forms import MOST_FORM_BYTES
from meetdeck.platform.errors import MeetdeckError

_REFUSALS: Final = {
    NotSignedIn: answer_not_signed_in,
    SignInTooOld: answer_sign_in_too_old,
    ApiRefusal: answer_api_refusal,
    MeetdeckError: answer_refusal,
    HTTPException: answer_framework_refusal,
    Exception: answer_defect,
}


class ConsoleController(Controller):
    """Pages of the console: handlers get the page or the form, and refusals are pages, too.

    The table in `meetdeck.platform.identity.permissions` has the role that each needs.
    """

    include_in_schema = False
    dependencies = PAGE_DEPENDENCIES
    exception_handlers = _REFUSALS  # pyright: ignore[reportAssignmentType] - Litestar's is wider
    request_max_body_size = MOST_FORM_BYTES
