"""Administration of the installation and its tenants, by its operators."""
