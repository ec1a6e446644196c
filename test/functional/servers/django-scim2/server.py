"""
A SCIM server on loopback by django-scim2, with its users and groups in memory. Addresses, pages, filters, errors and texts are those of the package: only
the start, the tables and the token are ours. Arguments: the bearer token, and `filters` if it says that it has them. It prints its port when it is ready.
"""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

token, *more = sys.argv[1:]
scim = {
    "NETLOC": "127.0.0.1",
    "SCHEME": "http",
    "AUTHENTICATION_SCHEMES": [{"type": "oauthbearertoken", "name": "token", "description": "a bearer token"}],
    "WWW_AUTHENTICATE_HEADER": 'Bearer realm="django-scim2"',
    "GROUP_MODEL": "store.models.Group",
}
if "filters" in more:
    scim["GROUP_FILTER_PARSER"] = "store.filters.GroupFilters"
    scim["SERVICE_PROVIDER_CONFIG_MODEL"] = "store.filters.WithFilters"
settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    AUTH_USER_MODEL="store.User",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django_scim", "store"],
    LOGGING_CONFIG=None,
    MIDDLEWARE=["__main__.bearer", "django_scim.middleware.SCIMAuthCheckMiddleware"],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ROOT_URLCONF="__main__",
    SCIM_SERVICE_PROVIDER=scim,
    SECRET_KEY=token,
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from store.models import User  # noqa: E402

urlpatterns = [path("scim/v2/", include("django_scim.urls", namespace="scim"))]


def bearer(get_response):
    """Says whose request it is. django-scim2 refuses one that is nobody's."""

    def answer(request):
        is_known = request.headers.get("authorization") == f"Bearer {token}"
        request.user = User(username="reader") if is_known else AnonymousUser()
        return get_response(request)

    return answer


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


call_command("migrate", run_syncdb=True, verbosity=0)
with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
    print(server.server_port, flush=True)
    server.serve_forever()
