from django_scim.filters import GroupFilterQuery
from django_scim.models import SCIMServiceProviderConfig


class GroupFilters(GroupFilterQuery):
    """Which column has an attribute of a filter. Without it django-scim2 finds no group by any filter."""

    attr_map = {
        ("displayName", None, None): "name",
        ("externalId", None, None): "scim_external_id",
    }


class WithFilters(SCIMServiceProviderConfig):
    """django-scim2 says that it has no filters, until a program says otherwise."""

    def to_dict(self):
        return {**super().to_dict(), "filter": {"supported": True, "maxResults": 50}}
