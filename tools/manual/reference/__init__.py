"""The reference pages of the manual: made from the code of this version, so that they cannot be out of date."""
