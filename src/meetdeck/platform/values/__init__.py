"""Values and Structs: read with every fault named, written, copied, patched."""

from meetdeck.platform.values.annotations import Member, NotEmpty, SingleLine, may_be_left_out, members_of, options_of
from meetdeck.platform.values.colors import (
    DEFAULT_BRAND_COLOR,
    TEXT_CONTRAST,
    WHITE,
    Color,
    Oklch,
    find_nearest_readable,
    measure_contrast,
)
from meetdeck.platform.values.csv_files import CSV, ReportFormat, defuse, write_rows, write_structs
from meetdeck.platform.values.deprecation import (
    Deprecation,
    deprecated,
    deprecated_member,
    describe_deprecation,
    find_deprecated,
    find_deprecated_parameters,
    has_deprecated,
    take_deprecation,
)
from meetdeck.platform.values.durations import Duration
from meetdeck.platform.values.language_tags import LanguageTag, LanguageTagError, read_language_tag
from meetdeck.platform.values.query_params import find_empty_parameters, read_query_params
from meetdeck.platform.values.serialization import (
    AnyCase,
    InvalidInput,
    Moment,
    SetSinceV3,
    SinceV3,
    TimeOfDay,
    UploadedFile,
    encode_wire,
    fingerprint,
    read_builtins,
    read_json,
    refuse,
    write_json,
)
from meetdeck.platform.values.sql_json import render_object
from meetdeck.platform.values.structs import copy_members
from meetdeck.platform.values.unknown_names import find_unknown_members, find_unknown_parameters
from meetdeck.platform.values.versions import Version, read_in_version, show_in_version

__all__ = [
    "CSV",
    "DEFAULT_BRAND_COLOR",
    "TEXT_CONTRAST",
    "WHITE",
    "AnyCase",
    "Color",
    "Deprecation",
    "Duration",
    "InvalidInput",
    "LanguageTag",
    "LanguageTagError",
    "Member",
    "Moment",
    "NotEmpty",
    "Oklch",
    "ReportFormat",
    "SetSinceV3",
    "SinceV3",
    "SingleLine",
    "TimeOfDay",
    "UploadedFile",
    "Version",
    "copy_members",
    "defuse",
    "deprecated",
    "deprecated_member",
    "describe_deprecation",
    "encode_wire",
    "find_deprecated",
    "find_deprecated_parameters",
    "find_empty_parameters",
    "find_nearest_readable",
    "find_unknown_members",
    "find_unknown_parameters",
    "fingerprint",
    "has_deprecated",
    "may_be_left_out",
    "measure_contrast",
    "members_of",
    "options_of",
    "read_builtins",
    "read_in_version",
    "read_json",
    "read_language_tag",
    "read_query_params",
    "refuse",
    "render_object",
    "show_in_version",
    "take_deprecation",
    "write_json",
    "write_rows",
    "write_structs",
]
