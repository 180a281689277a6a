"""What it costs to optimise under another accounting than the one that is paid."""
