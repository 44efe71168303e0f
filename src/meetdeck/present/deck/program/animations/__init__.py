"""Animations by paragraph, series and category, repeated or left out with the content from the data.

A slide's timing comes after its shapes. The paragraphs of an animated body carry marks that no data can contain
(processing instructions), which are counted and removed when the body is written; the timing follows with the numbers.
Slides without such animations are compiled as if there were none. Ranges of characters become ranges of paragraphs,
since no rule says which letters of a value are meant.
"""
