"""Calls Plane's official Python client.

    driver.py              a line of JSON in is one call, a line of JSON out is its outcome (types: see call.ts)
    driver.py addresses    prints every operation that the client has
"""

import collections.abc
import inspect
import json
import sys
import types
import typing

import requests
from plane import PlaneClient
from plane.api.base_resource import BaseResource
from plane.client import OAuthClient
from plane.config import Configuration
from plane.errors import HttpError
from pydantic import BaseModel, ValidationError


class GroupSync(BaseResource):
    """What the client has no method for, through the client's own requests."""

    def __init__(self, config: Configuration) -> None:
        super().__init__(config, "/workspaces/")

    read = BaseResource._get
    create = BaseResource._post
    update = BaseResource._patch
    remove = BaseResource._delete


def outcome(call: dict) -> dict:
    resource, name = call["call"].split(".")
    method = getattr(find(resource, call), name)
    try:
        return {"value": plain(method(*call["arguments"], **keywords(method, call.get("query"))))}
    except HttpError as error:
        return {"error": type(error).__name__, "status": error.status_code, "body": error.response}
    except ValidationError as error:
        return {"error": type(error).__name__, "fields": sorted({".".join(map(str, one["loc"])) for one in error.errors()})}


def find(resource: str, call: dict) -> object:
    if application := call.get("application"):
        return OAuthClient(base_url=call["url"], client_id=application["id"], client_secret=application["secret"])
    client = PlaneClient(base_url=call["url"], api_key=call.get("key"), access_token=call.get("token"))
    return GroupSync(client.config) if resource == "group_sync" else getattr(client, resource)


def keywords(method: typing.Callable, query: dict | None) -> dict:
    """Some methods take the query as a model called `params`, some as arguments of their own."""
    if query is None:
        return {}
    model = typing.get_type_hints(method).get("params")
    if model is None:
        return query
    [model] = [one for one in typing.get_args(model) if one is not type(None)]
    return {"params": model(**query)}


def plain(value: object) -> object:
    """What a model holds, without the defaults of fields that the answer did not have."""
    return value.model_dump(mode="json", exclude_unset=True) if isinstance(value, BaseModel) else value


class Unsent(Exception):
    pass


def addresses() -> list[dict]:
    """Every operation of the client: each method is called with made-up arguments, and nothing is sent."""

    def unsent(_: requests.Session, prepared: requests.PreparedRequest, **__: object) -> None:
        raise Unsent(prepared.method, prepared.path_url)

    requests.Session.send = unsent
    client = PlaneClient(base_url="http://127.0.0.1", api_key="x")
    return [found for name, resource in resources("", client) for found in operations(name, resource)]


def resources(prefix: str, owner: object) -> typing.Iterator[tuple[str, BaseResource]]:
    for name, value in vars(owner).items():
        if isinstance(value, BaseResource):
            yield prefix + name, value
            yield from resources(f"{prefix}{name}.", value)


def operations(name: str, resource: BaseResource) -> typing.Iterator[dict]:
    for key, method in inspect.getmembers(resource, inspect.ismethod):
        if key.startswith("_"):
            continue
        try:
            method(**made_up(method))
        except Unsent as sent:
            yield {"call": f"{name}.{key}", "method": sent.args[0], "path": sent.args[1].split("?")[0]}
        else:
            raise RuntimeError(f"{name}.{key} sent nothing")


def made_up(method: typing.Callable) -> dict:
    hints = typing.get_type_hints(method)
    return {name: value_of(hints[name]) for name in inspect.signature(method).parameters}


def value_of(kind: typing.Any) -> object:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return value_of(typing.get_args(kind)[0])
    kind = typing.get_origin(kind) or kind
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_construct()
    return [] if kind is list else {} if kind in (dict, collections.abc.Mapping) else "x"


if __name__ == "__main__":
    if sys.argv[1:] == ["addresses"]:
        print(json.dumps(addresses()))
    else:
        for line in sys.stdin:
            print(json.dumps(outcome(json.loads(line))), flush=True)
