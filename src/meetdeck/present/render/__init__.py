"""Rendering: one port, `Renderer`, from PPTX to PDF; everything else is made from that PDF."""
