"""The client: one server, one credential."""

from __future__ import annotations

import datetime
import json
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union, cast
from uuid import uuid4

import httpx

from . import events, frames
from ._transport import IDEMPOTENT, ONCE, READ, Transport, route
from .auth import KeyAuth, TokenAuth, Tokens
from .errors import ProductionFailedError, UnavailableError
from .files import Files
from .ingest import Report, ingest_rows, ready_rows
from .query import Condition, Query, conditions, fields_of, pages
from .types import (
    Aggregate,
    Availability,
    Entity,
    ExpandedEntity,
    ExternalId,
    Facet,
    Produced,
    Production,
    ProvenanceEvent,
    Relationship,
    Resolution,
    SearchHit,
)

Instant = Union[str, datetime.datetime]
"""An instant: ISO 8601 with an offset, or a datetime with a time zone."""

ENTITIES = "/api/v1/metadata/entities"


def _instant(value: Optional[Instant]) -> Dict[str, Any]:
    if value is None:
        return {}
    return {"as_of": frames.json_value(value, "as_of")}


def _context(context: Optional[Mapping[str, Any]]) -> Dict[str, str]:
    return {} if context is None else {"x-metadata-context": json.dumps(context, allow_nan=False)}


class Client:
    """Cairn, from Python. It can be used by several threads, and as a context manager.

    ``credential`` is an API key (``sk_…``), an access token, or the `Tokens` of `device_login`, which are renewed
    before they end; ``on_renewed`` gets the new ones. ``project`` names the project to work in. ``retries`` counts
    further attempts of what is safe to repeat, ``timeout`` is in seconds, for each attempt.
    """

    def __init__(
        self,
        url: str,
        credential: Union[str, Tokens, None] = None,
        *,
        project: Optional[str] = None,
        retries: int = 3,
        timeout: float = 30.0,
        on_renewed: Optional[Callable[[Tokens], None]] = None,
        on_warning: Optional[Callable[[str], None]] = None,
    ) -> None:
        auth: Optional[httpx.Auth] = None
        if isinstance(credential, Tokens):
            auth = TokenAuth(credential, on_renewed)
        elif credential is not None:
            auth = KeyAuth(credential)
        self._may_renew = isinstance(auth, TokenAuth)
        self._transport = Transport(
            url, auth=auth, project=project, retries=retries, timeout=timeout, on_warning=on_warning
        )
        #: Uploads and downloads.
        self.files = Files(self._transport)

    def __repr__(self) -> str:
        return f"Client({self._transport.url!r})"

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def graphql(self, document: str, variables: Optional[Mapping[str, Any]] = None) -> Any:
        """``data`` of a GraphQL query or mutation. Raises the exception of its first error."""
        safety = READ if document.lstrip().startswith(("query", "{")) else ONCE
        return self._transport.graphql(document, variables or {}, safety)

    def me(self) -> Dict[str, Any]:
        """Who the server takes the caller for: ``actor``, ``roles``, ``projects`` (None for all)."""
        return cast(Dict[str, Any], self.graphql("query Me { me { actor roles projects } }")["me"])

    # Schemas

    def register_schema(self, definition: Mapping[str, Any]) -> Dict[str, Any]:
        """Registers a schema, or a new version of it. One that is stored already changes nothing."""
        answer = self._transport.request(
            "POST", "/api/v1/metadata/schemas", body=definition, safety=IDEMPOTENT
        )
        return cast(Dict[str, Any], answer.body)

    def schemas(self) -> List[Dict[str, Any]]:
        """The schemas as they were registered."""
        return cast(List[Dict[str, Any]], self._transport.request("GET", "/api/v1/metadata/schemas").body)

    def schema(self, entity_type: str) -> Dict[str, Any]:
        path = route("/api/v1/metadata/schemas/{}", entity_type)
        return cast(Dict[str, Any], self._transport.request("GET", path).body)

    # Reading

    def get(self, entity_id: str, *, as_of: Optional[Instant] = None) -> Entity:
        """Raises NotFoundError where there is none, or none that the caller may see."""
        return cast(
            Entity,
            self._transport.request("GET", route(ENTITIES + "/{}", entity_id), params=_instant(as_of)).body,
        )

    def expand(
        self, entity_id: str, paths: Sequence[str], *, as_of: Optional[Instant] = None
    ) -> ExpandedEntity:
        """An entity with related ones in ``expanded``: ``field``, ``field.child``, ``relationship_type[]``."""
        params = {"expand": ",".join(paths), **_instant(as_of)}
        return cast(
            ExpandedEntity,
            self._transport.request("GET", route(ENTITIES + "/{}", entity_id), params=params).body,
        )

    def query(
        self,
        entity_type: str,
        where: Optional[Mapping[str, Condition]] = None,
        *,
        filter: Optional[str] = None,
        order_by: Optional[str] = None,
        as_of: Optional[Instant] = None,
        include_unavailable: bool = False,
        limit: Optional[int] = None,
        expand: Sequence[str] = (),
    ) -> Query:
        """Entities of a type whose fields have the given values, and for which the CEL expression is true.

        In ``filter``, numbers of ``data`` are doubles: ``data.age < 30.0``. Entities have what the paths of
        ``expand`` lead to in ``expanded``; frames and files have columns of it, ``donor.age`` for
        ``expand=["donor"]``, and take paths of single references only.
        """
        params: Dict[str, Any] = {**conditions(where or {}), **_instant(as_of)}
        if filter is not None:
            params["filter"] = filter
        if order_by is not None:
            params["order_by"] = order_by
        if include_unavailable:
            params["include_unavailable"] = "true"
        if expand:
            params["expand"] = ",".join(expand)
        return Query(self._transport, entity_type, params, limit)

    def search(
        self,
        entity_type: str,
        words: str,
        *,
        filter: Optional[str] = None,
        as_of: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[SearchHit]:
        """Entities with these words in their texts, and for which the CEL expression is true; the best first."""
        params = {"entity_type": entity_type, "q": words, **_instant(as_of)}
        if filter is not None:
            params["filter"] = filter
        return pages(self._transport, "/api/v1/metadata/search", params, list, limit)

    def aggregate(
        self,
        entity_type: str,
        *,
        group_by: Sequence[str] = (),
        of: Sequence[str] = (),
        where: Optional[Mapping[str, Condition]] = None,
        filter: Optional[str] = None,
        having: Optional[str] = None,
        percentiles: Sequence[float] = (),
        as_of: Optional[Instant] = None,
        limit: int = 1000,
    ) -> Aggregate:
        """Counts in groups, and ``count, distinct, min, max, sum, avg`` of numbers: ``groups``, ``total``."""
        params: Dict[str, Any] = {"entity_type": entity_type, "limit": limit, **conditions(where or {})}
        wishes = {
            "group_by": ",".join(group_by),
            "of": ",".join(of),
            "percentiles": ",".join(map(str, percentiles)),
            "filter": filter,
            "having": having,
        }
        params.update({name: wish for name, wish in wishes.items() if wish})
        answer = self._transport.request(
            "GET", "/api/v1/metadata/aggregate", params={**params, **_instant(as_of)}
        )
        return cast(Aggregate, answer.body)

    def facets(
        self,
        entity_type: str,
        fields: Sequence[str],
        *,
        where: Optional[Mapping[str, Condition]] = None,
        as_of: Optional[Instant] = None,
    ) -> List[Facet]:
        """The most frequent values of several fields."""
        params = {
            "entity_type": entity_type,
            "of": ",".join(fields),
            **conditions(where or {}),
            **_instant(as_of),
        }
        return cast(
            List[Facet], self._transport.request("GET", "/api/v1/metadata/facets", params=params).body
        )

    def history(
        self,
        entity_id: str,
        *,
        event_types: Sequence[str] = (),
        as_of: Optional[Instant] = None,
        limit: Optional[int] = None,
    ) -> Iterator[ProvenanceEvent]:
        """The provenance of an entity, oldest first."""
        params = {**({"event_types": ",".join(event_types)} if event_types else {}), **_instant(as_of)}
        return pages(self._transport, route(ENTITIES + "/{}/history", entity_id), params, list, limit)

    # Writing

    def create(
        self,
        entity_type: str,
        data: Mapping[str, Any],
        *,
        id: Optional[str] = None,
        context: Optional[Mapping[str, Any]] = None,
    ) -> Entity:
        """Creates an entity. Raises PreconditionFailedError where the id is taken; without one it is a UUID."""
        body = {"entity_type": entity_type, "id": id or str(uuid4()), "data": dict(data)}
        return self._ingest(body, {"if-none-match": "*"}, context, ONCE)

    def ingest(
        self,
        entity_type: str,
        data: Mapping[str, Any],
        *,
        id: Optional[str] = None,
        context: Optional[Mapping[str, Any]] = None,
    ) -> Entity:
        """Creates an entity, or merges the given fields into the one with this id."""
        body = {"entity_type": entity_type, "id": id or data.get("id") or str(uuid4()), "data": dict(data)}
        return self._ingest(body, {}, context, IDEMPOTENT)

    def _ingest(
        self,
        body: Mapping[str, Any],
        headers: Mapping[str, str],
        context: Optional[Mapping[str, Any]],
        safety: str,
    ) -> Entity:
        answer = self._transport.request(
            "POST",
            "/api/v1/metadata/ingest",
            body=body,
            headers={**headers, **_context(context)},
            safety=safety,
        )
        return cast(Entity, answer.body)

    def update(
        self,
        entity_type: str,
        entity_id: str,
        data: Mapping[str, Any],
        *,
        if_version: Optional[int] = None,
        context: Optional[Mapping[str, Any]] = None,
    ) -> Entity:
        """Changes the given fields; None clears one.

        Raises PreconditionFailedError where the entity has another version than ``if_version``.
        """
        headers = {} if if_version is None else {"if-match": f'"{if_version}"'}
        answer = self._transport.request(
            "PUT",
            route(ENTITIES + "/{}/{}", entity_type, entity_id),
            body={"data": dict(data)},
            headers={**headers, **_context(context)},
            safety=IDEMPOTENT if if_version is None else ONCE,
        )
        return cast(Entity, answer.body)

    def delete(self, entity_id: str, *, reason: Optional[str] = None) -> Any:
        """Makes an entity unavailable. Its data and history are kept."""
        return self._transport.request(
            "DELETE",
            route(ENTITIES + "/{}", entity_id),
            params={} if reason is None else {"reason": reason},
            safety=IDEMPOTENT,
        ).body

    def set_availability(
        self, entity_id: str, available: bool, *, reason: Optional[str] = None
    ) -> Availability:
        body = {"is_available": available, **({} if reason is None else {"reason": reason})}
        answer = self._transport.request(
            "POST", route(ENTITIES + "/{}/availability", entity_id), body=body, safety=IDEMPOTENT
        )
        return cast(Availability, answer.body)

    def ingest_all(
        self,
        rows: Any,
        entity_type: Optional[str] = None,
        *,
        id: Union[str, Callable[[Mapping[str, Any]], str], None] = None,
        context: Optional[Mapping[str, Any]] = None,
        dry_run: bool = False,
        all_or_nothing: bool = False,
        on_progress: Optional[Callable[[Report], None]] = None,
    ) -> Report:
        """Loads the rows of a DataFrame, a pyarrow.Table, or of anything iterable, in their order.

        With ``entity_type`` a row has the fields, and ``id`` is the column with the id (by default ``id``) or a
        function of the row. Without it, a row is ``{entity_type, id, data}``. An empty cell says nothing of its
        field. A refused row does not stop the load: see `Report.failures`. Loading the same again changes nothing,
        if rows have ids. With ``dry_run`` nothing is written, with ``all_or_nothing`` all or none; both take
        20,000 rows and 8 MiB. Raises InvalidDataError for a value that JSON cannot say.
        """
        types: Dict[str, str] = {}
        if entity_type is not None:
            types = {field.name: field.type for field in fields_of(self._transport, entity_type)}
        return ingest_rows(
            self._transport,
            ready_rows(rows, entity_type=entity_type, id=id, types=types),
            context=context,
            dry_run=dry_run,
            all_or_nothing=all_or_nothing,
            on_progress=on_progress,
        )

    # Relationships and external ids

    def relate(
        self,
        source_id: str,
        target_id: str,
        relationship_type: str,
        *,
        metadata: Optional[Mapping[str, Any]] = None,
    ) -> Relationship:
        body = {
            "target_entity_id": target_id,
            "relationship_type": relationship_type,
            "metadata": metadata or {},
        }
        answer = self._transport.request("POST", route(ENTITIES + "/{}/relationships", source_id), body=body)
        return cast(Relationship, answer.body)

    def relationships(self, entity_id: str, **params: Any) -> Iterator[Relationship]:
        """Those of an entity; parameters as of the REST endpoint (``direction``, ``relationship_type``, …)."""
        return pages(self._transport, route(ENTITIES + "/{}/relationships", entity_id), params, list)

    def unrelate(self, entity_id: str, relationship_id: str) -> Any:
        path = route(ENTITIES + "/{}/relationships/{}", entity_id, relationship_id)
        return self._transport.request("DELETE", path).body

    def add_external_id(self, entity_id: str, external_id: str, *, id_type: str = "default") -> Any:
        return self._transport.request(
            "POST",
            route(ENTITIES + "/{}/external-ids", entity_id),
            body={"external_id": external_id, "id_type": id_type},
            safety=IDEMPOTENT,
        ).body

    def external_ids(self, entity_id: str) -> List[ExternalId]:
        path = route(ENTITIES + "/{}/external-ids", entity_id)
        return cast(List[ExternalId], self._transport.request("GET", path).body)

    def find(self, external_id: str, *, id_type: str = "default") -> Entity:
        """The entity with this external id. Raises NotFoundError."""
        params = {"id_type": id_type, "external_id": external_id}
        return cast(
            Entity, self._transport.request("GET", "/api/v1/metadata/external-ids", params=params).body
        )

    # Events

    def event_token(self) -> str:
        """The token of the present end of the log: take it, read what there is, then follow."""
        return events.end_of_log(self._transport)

    def events(
        self,
        *,
        after: Optional[str] = None,
        event_types: Optional[Sequence[str]] = None,
        entity_types: Optional[Sequence[str]] = None,
        filter: Optional[str] = None,
    ) -> Iterator[events.FeedItem]:
        """Provenance events as they are written, each once and in order; it has no end.

        ``after`` is the token of the last event dealt with, ``"start"`` for the whole log. A lost connection is
        opened again after the last event.
        """
        return events.follow(
            self._transport,
            after=after,
            event_types=event_types,
            entity_types=entity_types,
            filter=filter,
            may_renew=self._may_renew,
        )

    # Artifacts

    def resolve(
        self, entity_type: str, criteria: Mapping[str, Condition], *, rule: Optional[str] = None
    ) -> Resolution:
        """How an entity would be had: reused, fetched or built, with the plan and its reasons."""
        params = {
            "entity_type": entity_type,
            **conditions(criteria),
            **({} if rule is None else {"rule": rule}),
        }
        return cast(
            Resolution, self._transport.request("GET", "/api/v1/artifact/resolve", params=params).body
        )

    def produce(
        self,
        entity_type: str,
        criteria: Mapping[str, Any],
        *,
        parameters: Optional[Mapping[str, Any]] = None,
        rule: Optional[str] = None,
        plan_hash: Optional[str] = None,
    ) -> Produced:
        """Reuses an entity, or starts a production; equal requests share one. See `wait`."""
        body = {
            "entity_type": entity_type,
            "criteria": dict(criteria),
            "parameters": parameters,
            "rule": rule,
            "plan_hash": plan_hash,
        }
        answer = self._transport.request(
            "POST",
            "/api/v1/artifact/produce",
            body={name: value for name, value in body.items() if value is not None},
            safety=IDEMPOTENT,
            timeout=60.0,
        )
        return cast(Produced, answer.body)

    def production(self, production_id: str) -> Production:
        path = route("/api/v1/artifact/productions/{}", production_id)
        return cast(Production, self._transport.request("GET", path).body)

    def wait(
        self,
        produced: Union[Produced, str],
        *,
        timeout: Optional[float] = None,
        on_state: Optional[Callable[[Production], None]] = None,
    ) -> Entity:
        """The entity of a production, when it is there; at once for one that was reused.

        Raises ProductionFailedError where it ends without one, UnavailableError (``timeout``) after so many
        seconds; the production goes on then.
        """
        if not isinstance(produced, str):
            reused = produced.get("entity")
            if produced["status"] == "completed" and reused is not None:
                return self.get(reused["id"])
            produced = str(produced["production_id"])
        end = None if timeout is None else time.monotonic() + timeout
        pause = 0.1
        while True:
            production = self.production(produced)
            if on_state is not None:
                on_state(production)
            if production["status"] == "completed":
                return self.get(production["produced"][0]["entity_id"])
            if production["status"] in ("failed", "cancelled"):
                reason = production["error"] or {}
                raise ProductionFailedError(
                    f"production {produced} {production['status']}: {reason.get('message', '')}",
                    code=reason.get("code", production["status"]),
                    details=cast(Dict[str, Any], production),
                )
            if end is not None and time.monotonic() + pause > end:
                raise UnavailableError(
                    f"production {produced} is still {production['status']}", code="timeout"
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 5.0)

    def cancel(self, production_id: str) -> Production:
        """Takes the caller away from those who wait for it."""
        path = route("/api/v1/artifact/productions/{}", production_id)
        return cast(Production, self._transport.request("DELETE", path, safety=IDEMPOTENT).body)


def aggregate_frame(aggregate: Aggregate) -> Any:
    """A pandas.DataFrame of an aggregate: a column for each key, ``count``, and ``field.measure``."""
    import pandas

    rows = [
        {
            **group["key"],
            "count": group["count"],
            **{
                f"{name}.{measure}": value
                for name, measures in (group["measures"] or {}).items()
                for measure, value in (measures or {}).items()
            },
        }
        for group in aggregate["groups"]
    ]
    return pandas.DataFrame(rows)
