"""Names in several languages are imported from columns of their own (docs/importing.md)."""

from pathlib import Path

from meetdeck.demo.firm import FJORD
from meetdeck.platform.database import Database
from support.fakes import HandClock
from support.importing import ImportingFirm, counts_of


async def open_firm(database: Database, clock: HandClock, folder: Path) -> ImportingFirm:
    return await ImportingFirm.of_demo(database, FJORD, folder, clock())


async def test_a_column_names_its_language_as_people_write_it(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    firm = await open_firm(database, clock, tmp_path)
    outcome = await firm.add({"topics.csv": "Navn;Navn (DA-dk)\nRetirement;Pension\nSavings;Opsparing\n"})
    assert counts_of(outcome)["topics"] == (1, 1, 0)
    assert (await firm.find("meetingTopics", "Retirement"))["localizedName"] == {
        "en-GB": "Retirement",
        "da-DK": "Pension",
    }
    outcome = await firm.add({"topics.csv": "name,localizedName.da-DK\nRetirement,\nSavings,Opsparing\n"})
    assert counts_of(outcome)["topics"] == (0, 1, 1)
    assert (await firm.find("meetingTopics", "Retirement"))["localizedName"] == {"en-GB": "Retirement"}
    assert (await firm.find("meetingTopics", "Savings"))["localizedName"]["da-DK"] == "Opsparing"


async def test_a_file_without_translations_changes_none_and_a_list_of_the_api_changes_nothing(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    firm = await open_firm(database, clock, tmp_path)
    await firm.add({"topics.csv": "name,durationMinutes\nRetirement,75\n"})
    assert (await firm.find("meetingTopics", "Retirement"))["localizedName"]["da-DK"] == "Livet som pensionist"
    names = '[{"name": "Retirement", "localizedName": {"en-GB": "Retirement", "da-dk": "Livet som pensionist"}}]'
    assert counts_of(await firm.add({"topics.json": names}))["topics"] == (0, 0, 1)
    outcome = await firm.add({"topics.json": '[{"name": "Retirement", "localizedName": {"da-DK": null}}]'})
    assert counts_of(outcome)["topics"] == (0, 1, 0)
    assert (await firm.find("meetingTopics", "Retirement"))["localizedName"] == {"en-GB": "Retirement"}


async def test_a_language_that_is_not_enabled_is_named_with_its_row(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    firm = await open_firm(database, clock, tmp_path)
    problems = await firm.list_problems({"topics.csv": "name,name (fr-FR)\nRetirement,Retraite\n"})
    (problem,) = problems
    assert problem.startswith("topics.csv:2: localizedName.fr-FR: fr-FR is not enabled")
    assert problem.endswith("has en-GB, da-DK.")
    outcome = await firm.add({"topics.csv": "name,name (no language),colour (da-DK)\nRetirement,x,y\n"})
    assert [warning.column for warning in outcome.warnings] == ["name (no language)", "colour (da-DK)"]
