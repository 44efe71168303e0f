"""Users of SCIM: all employees of the firm, whoever made them."""
