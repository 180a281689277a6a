"""An array: as text, as a picture, as facts for machines."""
