"""The configuration's resources, as the contract's section 2 spells them."""
