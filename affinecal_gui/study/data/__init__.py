"""The tables of a study put together: polymers, values, the descriptors that tables bring along."""
