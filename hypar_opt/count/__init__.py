"""What compiled programs of plans communicate, beside what is predicted."""
