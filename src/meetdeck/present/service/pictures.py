"""Pictures of a template's slides."""

import asyncio

from meetdeck.present.errors import SlideNotFound
from meetdeck.present.model import StoredTemplate
from meetdeck.present.render.pages import page_picture
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.service.templates import TemplateFiles


class Pictures:
    """Draws slides. Called outside transactions."""

    def __init__(self, files: TemplateFiles, renderer: Renderer) -> None:
        self._files = files
        self._renderer = renderer

    async def picture_slide(self, template: StoredTemplate, slide_name: str, *, width: int) -> bytes:
        """Draw a slide of the template as PNG. Raises SlideNotFound, or the renderer's errors."""
        compiled = await self._files.compile(template)
        shown = [slide.name for slide in compiled.slides if not slide.hidden]
        if slide_name not in shown:
            raise SlideNotFound(template.name, slide_name, shown)
        pdf = await self._renderer.to_pdf(await self._files.read(template))
        return await asyncio.to_thread(page_picture, pdf, shown.index(slide_name), width=width, picture_format="png")
