"""Compiling a part: the way that each goes, what is marked in one of a slide and in one that slides share, its plan."""
