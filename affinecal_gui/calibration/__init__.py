"""The mathematics of calibration: arrays in, frozen results out. No pandas, no chemistry, no files."""
