"""What operators of any framework are as layers: a module a kind, called by the records of each framework."""
