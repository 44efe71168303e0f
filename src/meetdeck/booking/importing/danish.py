"""The Danish words of spreadsheets: columns, weekdays, meeting types. docs/importing.md lists them (a test)."""

from collections.abc import Mapping
from typing import Final

HEADERS: Final[Mapping[str, str]] = {
    "active": "Aktiv",
    "addRoomsToBookedMeetings": "Tilføj lokale til møder",
    "available": "Ledigt",
    "availableMeetingTypes": "Mødetyper",
    "canBeBooked": "Kan bookes",
    "capacity": "Kapacitet",
    "childGroupIds": "Undergrupper",
    "competenceGroupIds": "Kompetencegrupper",
    "customerBookable": "Kan bookes af kunder",
    "customerTypeIds": "Kundetyper",
    "dayOfWeek": "Ugedag",
    "description": "Beskrivelse",
    "displayName": "Vist navn",
    "durationMinutes": "Varighed i minutter",
    "email": "E-mail",
    "employeeId": "Medarbejder",
    "employeeIds": "Medarbejdere",
    "endDate": "Slut",
    "externalId": "Eksternt id",
    "features": "Faciliteter",
    "followUpTime": "Efterbehandlingstid",
    "firstName": "Fornavn",
    "from": "Fra",
    "id": "Id",
    "initials": "Initialer",
    "isAvailable": "Til rådighed",
    "isOnlyExplicitlyAvailable": "Kun når navngivet",
    "labels": "Etiketter",
    "lastName": "Efternavn",
    "location": "Lokation",
    "maxMeetingTimePerDay": "Længste mødetid om dagen",
    "meetingTypes": "Mødetyper",
    "membershipEmail": "E-mail om medlemskab",
    "name": "Navn",
    "order": "Rækkefølge",
    "parentGroupIds": "Overgrupper",
    "parentId": "Overemne",
    "phone": "Telefon",
    "preparationTime": "Forberedelsestid",
    "requireAvailableRoom": "Kræver ledigt lokale",
    "roomId": "Lokale",
    "serviceGroupIds": "Servicegrupper",
    "serviceLevel.bufferAfter": "Pause efter",
    "serviceLevel.bufferBefore": "Pause før",
    "serviceLevel.locations": "Niveau lokationer",
    "serviceLevel.meetingTypes": "Niveau mødetyper",
    "serviceLevel.priority": "Prioritet",
    "serviceLevel.responseTime": "Svartid",
    "serviceTrigger.customerTypeIds": "Udløser kundetyper",
    "serviceTrigger.locations": "Udløser lokationer",
    "serviceTrigger.meetingTypes": "Udløser mødetyper",
    "serviceTrigger.topicIds": "Udløser emner",
    "startDate": "Start",
    "status": "Status",
    "timeZoneId": "Tidszone",
    "title": "Titel",
    "to": "Til",
    "topicIds": "Emner",
    "uniqueTopicId": "Unikt emne-id",
}

WEEKDAYS: Final = ("mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag")

# In small letters; Online is called so.
MEETING_TYPES: Final[Mapping[str, str]] = {"fysisk": "Physical", "telefon": "Telephone", "ude af huset": "Offsite"}

# Of calendar entries, in small letters.
ENTRY_STATUSES: Final[Mapping[str, str]] = {
    "optaget": "Busy",
    "ekstra åbent": "ExtraOpen",
    "arbejder andetsteds": "WorkingFromElsewhere",
}
