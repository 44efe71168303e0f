"""Which pictures LibreOffice gets to see: those alone whose format we know and have looked through to their end."""

from meetdeck.present.render.pictures.judgement import EMPTY_SVG, defuse, is_office_vocabulary, leads_nowhere

__all__ = ["EMPTY_SVG", "defuse", "is_office_vocabulary", "leads_nowhere"]
