"""The language of templates, without XML: tags, filters, values, markdown, addresses."""
