"""Users of SCIM: all employees of the firm, provisioned or not."""
