"""The operator's settings: the environment, read once, and those in the database."""

from meetdeck.platform.settings.areas import EVERYTHING, Area, AssistantAccess
from meetdeck.platform.settings.callers import ANY_ORIGIN, Network, read_networks
from meetdeck.platform.settings.environment import Settings
from meetdeck.platform.settings.providers import ProviderSettings
from meetdeck.platform.settings.reading import (
    ServiceAccess,
    find_outgoing_proxy,
    limits_outgoing_calls,
    list_unknown_variables,
    list_variables,
    read_service_access,
    read_settings,
)
from meetdeck.platform.settings.reloading import ReloadableSettings
from meetdeck.platform.settings.roles import RoleNames
from meetdeck.platform.settings.settings_file import load_settings_file

__all__ = [
    "ANY_ORIGIN",
    "EVERYTHING",
    "Area",
    "AssistantAccess",
    "Network",
    "ProviderSettings",
    "ReloadableSettings",
    "RoleNames",
    "ServiceAccess",
    "Settings",
    "find_outgoing_proxy",
    "limits_outgoing_calls",
    "list_unknown_variables",
    "list_variables",
    "load_settings_file",
    "read_networks",
    "read_service_access",
    "read_settings",
]
