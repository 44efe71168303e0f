"""Marking the tree of a part: links, animations, lists, texts to measure; a step of `compile/parts` each."""
