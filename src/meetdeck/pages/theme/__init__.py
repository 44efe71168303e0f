"""The look of a page: colors made of one, and measures, as Designsystemet's CSS wants them."""
