"""What runs in the background: timeouts of clocks, time given back after outages, retention."""
