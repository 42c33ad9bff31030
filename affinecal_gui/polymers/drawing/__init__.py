"""Pictures of repeat units."""
