"""Lists of entities: page by page, or as one table."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ContextManager,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Union,
)

import httpx

from . import frames
from ._transport import READ, Transport, route
from .types import Entity

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

PAGE = 200
"""Entities of one request."""


def pages(
    transport: Transport,
    path: str,
    params: Mapping[str, Any],
    items_of: Callable[[Any], Any],
    limit: Optional[int] = None,
    page: int = PAGE,
) -> Iterator[Any]:
    """The items of a listing, however many pages it has; ``limit`` of them at most."""
    left = limit
    cursor: Optional[str] = None
    while left is None or left > 0:
        asked = {**params, "limit": page if left is None else min(page, left)}
        if cursor is not None:
            asked["cursor"] = cursor
        answer = transport.request("GET", path, params=asked)
        items = items_of(answer.body)
        yield from items
        if left is not None:
            left -= len(items)
        cursor = (
            answer.meta.get("next_cursor") if isinstance(answer.body, list) else answer.body["next_cursor"]
        )
        if cursor is None:
            return


class Query:
    """Entities that meet conditions. Nothing is asked before it is read, and it can be read again."""

    def __init__(
        self, transport: Transport, entity_type: str, params: Dict[str, Any], limit: Optional[int]
    ) -> None:
        self._transport = transport
        self._entity_type = entity_type
        self._params = params
        self._limit = limit

    def __iter__(self) -> Iterator[Entity]:
        """The entities, in pages as they are needed. Writes of others do not shift the pages."""
        params = {**self._params, "entity_type": self._entity_type}
        return pages(
            self._transport, "/api/v1/metadata/entities", params, lambda page: page["items"], self._limit
        )

    def all(self) -> List[Entity]:
        return list(self)

    def first(self) -> Optional[Entity]:
        """The first one; None where there is none."""
        for entity in Query(self._transport, self._entity_type, self._params, 1):
            return entity
        return None

    def count(self, how: str = "exact") -> int:
        """How many there are, whatever the limit. ``how="estimated"`` asks the planner, which does not count."""
        answer = self._transport.request(
            "GET",
            "/api/v1/metadata/entities",
            params={**self._params, "entity_type": self._entity_type, "limit": 1},
            headers={"prefer": f"count={how}"},
        )
        return int(answer.body["total"])

    def save(self, path: str, format: Optional[str] = None) -> int:
        """Writes a file of csv, ndjson, arrow, parquet or xlsx, by default as its name ends. Returns its size.

        It is streamed, and there as a whole or not at all.
        """
        from .files import write_whole

        with self._export(format or path.rpartition(".")[2]) as response:
            return write_whole(path, response.iter_bytes())

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame: the entity's columns, then the fields of its type in the order of the schema.

        Whole numbers are Int64, numbers Float64, booleans boolean, instants datetime64[ns, UTC], so that an
        absent value stays absent; dates, lists, JSON and texts are objects.
        """
        fields = self._fields()
        frame: "pandas.DataFrame"
        if frames.has_pyarrow():
            frame = frames.pandas_from_arrow(self._bytes(), fields)
        else:
            with self._export("ndjson") as response:
                frame = frames.pandas_from_lines(response.iter_lines(), fields)
        return frame

    def to_arrow(self) -> "pyarrow.Table":
        """A pyarrow.Table; fields of type json are texts of JSON, as `ingest_all` takes them."""
        return frames.arrow_from_bytes(self._bytes())

    def to_polars(self) -> "polars.DataFrame":
        """A polars.DataFrame; fields of type json are texts of JSON, as `ingest_all` takes them."""
        return frames.polars_from_bytes(self._bytes())

    def _bytes(self) -> bytes:
        with self._export("arrow") as response:
            return response.read()

    def _export(self, format: str) -> ContextManager[httpx.Response]:
        limit = {} if self._limit is None else {"limit": self._limit}
        path = route("/api/v1/metadata/export/{}." + format, self._entity_type)
        return self._transport.stream("GET", path, params={**self._params, **limit})

    def _fields(self) -> List[frames.Field]:
        paths = self._params.get("expand")
        return fields_of(self._transport, self._entity_type) + (
            [] if paths is None else expanded_fields_of(self._transport, self._entity_type, paths)
        )


SCHEMA = "query Fields($name: String!) { schema(name: $name) { allFields { name type many } } }"


def fields_of(transport: Transport, entity_type: str) -> List[frames.Field]:
    """The fields of a type, inherited ones first; none for an unknown type."""
    schema = transport.graphql(SCHEMA, {"name": entity_type}, READ)["schema"]
    return [frames.Field(**field) for field in (schema or {"allFields": []})["allFields"]]


EXPANDED = (
    "query ExpandedFields($name: String!, $paths: String!) "
    "{ schema(name: $name) { expandedFields(paths: $paths) { path field { name type many } } } }"
)


def expanded_fields_of(transport: Transport, entity_type: str, paths: str) -> List[frames.Field]:
    """The fields of the entities that single references lead to, as an export has columns of them."""
    schema = transport.graphql(EXPANDED, {"name": entity_type, "paths": paths}, READ)["schema"]
    return [
        frames.Field(**found["field"], path=tuple(found["path"]))
        for found in (schema or {"expandedFields": []})["expandedFields"]
        if found["field"] is not None and found["field"]["name"] != "id"
    ]


Condition = Union[str, int, float, bool, Sequence[Union[str, int, float, bool]]]
"""A value of a field, or several of which it has one."""


def text_of(value: Any) -> str:
    """A value as a list of metadata compares it (docs/reference/metadata.md#field-parameters)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def conditions(where: Mapping[str, Condition]) -> Dict[str, Any]:
    return {
        name: [text_of(one) for one in value] if isinstance(value, (list, tuple, set)) else text_of(value)
        for name, value in where.items()
    }
