"""Pictures of templates' slides."""
