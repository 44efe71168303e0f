"""The look of a page: colors made from one, and measures, in the form that Designsystemet's CSS needs."""
