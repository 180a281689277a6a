"""A simulated step as text, document and Gantt picture."""
