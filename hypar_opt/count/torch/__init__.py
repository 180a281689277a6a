"""What PyTorch's DTensor moves by an exported plan: without devices, and beside what is predicted."""
