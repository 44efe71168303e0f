"""What a running process has, and what it tells of itself: a clock, threads, memory, a terminal, traces."""
