"""What stands in for onnxruntime's classes of the same names."""
