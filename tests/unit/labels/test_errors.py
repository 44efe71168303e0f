from uuid import UUID

from meetdeck.labels.errors import LabelInUse
from meetdeck.labels.schemas import CarrierKind, LabelCarrier


def test_a_label_in_use_says_what_uses_it() -> None:
    carriers = [
        str(LabelCarrier(CarrierKind.SERVICE_GROUP, UUID(int=1), "Aarhus branch")),
        str(LabelCarrier(CarrierKind.TEMPLATE, UUID(int=2), "Annual review")),
    ]
    assert LabelInUse("VIP", 2, carriers).detail == (
        "The label 'VIP' is in use by service group 'Aarhus branch', template 'Annual review'. Take it off there first."
    )


def test_of_many_that_use_a_label_some_are_named_and_the_others_counted() -> None:
    assert "template 'Annual review' and 41 more." in LabelInUse("VIP", 42, ["template 'Annual review'"]).detail
