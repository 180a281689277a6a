"""Models of frameworks read as networks of operators: ONNX, PyTorch, JAX, and configurations of Hugging Face."""
