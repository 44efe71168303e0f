"""Rendering: one port, `Renderer`, from PPTX to PDF; all else is made from that PDF."""
