"""The kinds of messages, and their recipients."""

from meetdeck.platform.values import AnyCase


class MessageKind(AnyCase):
    """The occasion of a message."""

    INVITATION = "Invitation"
    CHANGE = "Change"
    CANCELLATION = "Cancellation"


class RecipientKind(AnyCase):
    """The recipient's role in the meeting."""

    ATTENDEE = "Attendee"
    """A person from outside: the customer, or a person whom the customer brings."""
    EMPLOYEE = "Employee"
    """The advisor, or an additional employee."""


class TextKind(AnyCase):
    """A kind of message whose words a firm can choose."""

    INVITATION = "Invitation"
    CHANGE = "Change"
    CANCELLATION = "Cancellation"
    EMPLOYEE_INVITATION = "EmployeeInvitation"
    EMPLOYEE_CHANGE = "EmployeeChange"
    EMPLOYEE_CANCELLATION = "EmployeeCancellation"
    REMINDER = "Reminder"
    TEXT_REMINDER = "TextReminder"
    """A text message to the customer's telephone: only its body is sent."""
    EMPLOYEE_TEXT_REMINDER = "EmployeeTextReminder"
    """A text message in a channel of the firm's employees: only its body is sent."""

    OFFER = "Offer"
    """A time that is offered to a waiting-list entry."""
    ADDRESS_CHANGE = "AddressChange"
    """A link to the customer's old e-mail address, which confirms a new one."""
    BOOKING_CONFIRMATION = "BookingConfirmation"
    """A link that confirms the customer's e-mail address, and books the meeting."""
    EMPLOYEE_DOCUMENTS = "EmployeeDocuments"
    """The links to a meeting's documents, for the advisor."""
    EMPLOYEE_DOCUMENTS_FAILED = "EmployeeDocumentsFailed"
    """The reason why a meeting's documents could not be created, for the advisor."""

    @property
    def is_for_employees(self) -> bool:
        """Return whether the messages go to employees."""
        return self.value.startswith("Employee")

    @classmethod
    def of(cls, kind: MessageKind, recipient: RecipientKind) -> "TextKind":
        """Return the kind of words for a message to a kind of recipients."""
        return cls(kind.value if recipient is RecipientKind.ATTENDEE else f"Employee{kind.value}")
