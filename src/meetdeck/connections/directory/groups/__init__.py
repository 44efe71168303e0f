"""Groups of SCIM: competence groups, or service groups if the firm wants that."""
