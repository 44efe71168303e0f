"""Quotation marks by language, as in Unicode's CLDR 48."""

from functools import lru_cache
from typing import Final

from meetdeck.present.deck.language.numbers import parse_locale

_ENGLISH: Final = ("“", "”")
# Languages whose marks are not the English ones; with a country, where that differs.
_LANGUAGES: Final = {
    ("”", "”"): "fi he rn se sn sv yi",
    ("«", "»"): "am ast az_Cyrl bas be br bua ca dua dyo el es_US eu ewo fa fr gsw ht hy ie it jgo kab kk kkj ksf ky "
    "lij mg mua mzn nb nn nnh no oc os pms pt_AO pt_CH pt_CV pt_GQ pt_GW pt_LU pt_MO pt_MZ pt_PT pt_ST pt_TL rm ru rw "
    "sah sc sg shi ti uk wae zgh",
    ("”", "“"): "ar ur",
    ("„", "“"): "bg bs_Cyrl cs de dsb et hr hsb is ka ksh lb lt luy mk nds prg sk sl",
    ("„", "”"): "agq bs ff hu nmg pl ro sr szl",
    ("\u2018", "\u2019"): "fur ia nl tn",
    ("「", "」"): "ja yue zh_Hant",
    ("»", "«"): "kk_Arab ug",
}
_MARKS: Final = {name: marks for marks, names in _LANGUAGES.items() for name in names.split()}
_NO_BREAK: Final = "\u00a0"


@lru_cache(maxsize=256)
def quotation_marks(locale: str) -> tuple[str, str]:
    """Return the opening and closing mark of a locale; French ones include their blanks. Raises UnknownLocale."""
    known = parse_locale(locale)
    names = (f"{known.language}_{known.territory}", f"{known.language}_{known.script}", known.language)
    opening, closing = next((_MARKS[name] for name in names if name in _MARKS), _ENGLISH)
    if known.language == "fr" and known.territory != "CH":
        return opening + _NO_BREAK, _NO_BREAK + closing
    return opening, closing
