"""The settings of the OpenID Connect providers at which people sign in."""

from typing import Self

from pydantic import BaseModel, ConfigDict, SecretStr, model_validator

from meetdeck.platform.settings.types import WebAddress, leave_out_blanks


class ProviderSettings(BaseModel):
    """An OpenID Connect provider at which customers of portals or staff sign in, and the claims about customers."""

    model_config = ConfigDict(str_strip_whitespace=True)
    without_blanks = model_validator(mode="before")(leave_out_blanks)

    issuer: WebAddress | None = None
    """The provider's address, as in its discovery document."""
    client_id: str | None = None
    """Our client at the provider."""
    client_secret: SecretStr | None = None
    """Its secret; default: none, a public client that PKCE alone protects."""
    scopes: str = "openid profile email"
    """The scopes that are requested."""
    claim_customer: str = "sub"
    """The claim that becomes a meeting's `customerId`."""
    claim_name: str = "name"
    """The claim with the customer's name."""
    claim_email: str = "email"
    """The claim with the customer's e-mail address."""
    acr_values: str = ""
    """Requested levels of assurance, separated by spaces; people of another level are refused."""
    claim_level: str = "acr"
    """The claim with the level of assurance."""

    @model_validator(mode="after")
    def _refuse_half_a_provider(self) -> Self:
        if (self.issuer is None) != (self.client_id is None):
            raise ValueError("an issuer and a client id are set together, or neither is")
        return self
