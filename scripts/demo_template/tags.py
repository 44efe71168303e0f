"""What each tag means; the hidden slide `_tags` shows it to authors, and the engine to callers."""

_SINGLE = {
    "customer.name": "The customer's full name",
    "customer.firstName": "The customer's first name",
    "advisor.name": "The advisor's full name",
    "advisor.title": "The advisor's job title",
    "advisor.phone": "The advisor's direct number",
    "advisor.email": "The advisor's e-mail address",
    "meeting.date": "The date of the meeting, written out",
    "meeting.time": "From when to when",
    "meeting.location": "Where the meeting takes place",
    "meeting.next": "When and where the next meeting is",
    "review.year": "The year of the review",
    "today.netWorth": "Assets less debt, with currency",
    "today.income": "Household income a year after tax",
    "today.surplus": "What is left each month, with currency",
    "portfolio.total": "Value of the portfolio, in kroner",
    "portfolio.return": "Return since the last review, with sign",
    "risk.profile": "The risk profile, in one word",
    "risk.horizon": "Years until the money is needed",
    "risk.expectedReturn": "Expected return a year, after costs",
    "risk.badYear": "The loss of a bad year, one in twenty",
}

# A list's name: how many items it has, what one is called, and the meaning of its members.
_LISTS = {
    "balance": (
        5,
        "Line",
        {
            "name": "what is owned or owed",
            "lastYear": "value a year ago, in kroner",
            "thisYear": "value today, in kroner",
            "change": "the difference, with sign",
        },
    ),
    "goals": (
        3,
        "Goal",
        {
            "name": "what the customer saves for",
            "done": "how much is reached, in per cent",
            "saved": "saved so far, with currency",
            "target": "the amount to reach, with currency",
            "year": "the year to reach it",
            "comment": "is it on track? A short sentence",
        },
    ),
    "holdings": (
        5,
        "Holding",
        {
            "name": "name of the fund",
            "value": "its value, in kroner",
            "share": "its share of the portfolio",
            "return": "return since the last review",
        },
    ),
    "advice": (
        3,
        "Recommendation",
        {
            "title": "what to do",
            "reason": "why, in a sentence or two",
            "effect": "what it is worth",
            "effectNote": "what that figure means",
        },
    ),
    "steps": (
        4,
        "Step",
        {
            "action": "what is to be done",
            "who": "who does it",
            "when": "by when",
        },
    ),
}

TAGS = _SINGLE | {
    f"{name}.{i}.{member}": f"{item} {i + 1}: {meaning}"
    for name, (count, item, members) in _LISTS.items()
    for i in range(count)
    for member, meaning in members.items()
}
