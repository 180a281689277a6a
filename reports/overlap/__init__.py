"""What overlap is possible at best, beside first come first served and other rules."""
