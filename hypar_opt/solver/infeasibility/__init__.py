"""Why a problem has no plan."""
