"""What runs the partitions: processes of this machine, or a Dask cluster."""
