"""Files -> typed, validated tables and back; matching by polymer identity."""
