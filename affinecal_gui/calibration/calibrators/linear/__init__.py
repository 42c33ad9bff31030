"""The linear calibrators, one record each; their mathematics stand in the folder above."""
