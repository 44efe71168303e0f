"""The pictures that LibreOffice may see: only those of known formats that were checked to their end."""

from meetdeck.present.render.pictures.judgement import EMPTY_SVG, defuse, is_office_vocabulary, leads_nowhere

__all__ = ["EMPTY_SVG", "defuse", "is_office_vocabulary", "leads_nowhere"]
