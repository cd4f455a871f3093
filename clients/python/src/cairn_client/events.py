"""The change feed: provenance events as they are written, over server-sent events."""

from __future__ import annotations

import json
import time
from typing import Any, Dict, Iterator, NamedTuple, Optional, Sequence

import httpx

from ._faults import graphql_fault
from ._transport import READ, Transport, is_transient, pause_of
from .errors import CairnError, ProtocolError, UnauthorizedError, UnavailableError

SILENCE = 45.0
"""Seconds without data after which a connection counts as lost: the server sends something every 12."""

DOCUMENT = """subscription Events($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  item: provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) {
    token
    event {
      id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp
      schema_version: schemaVersion context payload
    }
  }
}"""


class FeedItem(NamedTuple):
    """An event, and the token to go on after it with."""

    token: str
    event: Dict[str, Any]


def end_of_log(transport: Transport) -> str:
    """The token of the present end of the log."""
    return str(transport.graphql("query EndOfLog { provenanceToken }", {}, READ)["provenanceToken"])


def _blocks(response: httpx.Response) -> Iterator[Dict[str, str]]:
    """The server-sent events of a response (WHATWG HTML, 9.2)."""
    block: Dict[str, str] = {}
    for line in response.iter_lines():
        line = line.rstrip("\r\n")
        if line == "":
            if block:
                yield block
            block = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            block[name] = f"{block[name]}\n{value}" if name in block else value


def _items(transport: Transport, variables: Dict[str, Any]) -> Iterator[FeedItem]:
    """What one connection brings. Raises UnavailableError when it ends."""
    with transport.stream(
        "POST",
        "/graphql",
        body={"query": DOCUMENT, "variables": variables},
        headers={"accept": "text/event-stream"},
        silence=SILENCE,
    ) as response:
        for block in _blocks(response):
            if block.get("event") == "complete":
                break
            if block.get("event") != "next":
                continue
            result = json.loads(block["data"])
            if result.get("errors"):
                raise graphql_fault(result["errors"][0], 400, None)
            item = (result.get("data") or {}).get("item")
            if item is None:
                raise ProtocolError("the feed has data that is not an event")
            yield FeedItem(item["token"], item["event"])
    raise UnavailableError("the server has ended the feed", code="unreachable")


def follow(
    transport: Transport,
    *,
    after: Optional[str],
    event_types: Optional[Sequence[str]],
    entity_types: Optional[Sequence[str]],
    filter: Optional[str],
    may_renew: bool,
) -> Iterator[FeedItem]:
    token = after if after is not None else end_of_log(transport)
    failed, was_open = 0, False
    while True:
        variables = {
            "types": None if event_types is None else list(event_types),
            "entityTypes": None if entity_types is None else list(entity_types),
            "filter": filter,
            "after": token,
        }
        try:
            for item in _items(transport, variables):
                failed, was_open, token = 0, True, item.token
                yield item
        except CairnError as error:
            failed += 1
            # A credential that ended while the feed was open is renewed with the next request.
            renewed = was_open and may_renew and isinstance(error, UnauthorizedError) and failed == 1
            if not (is_transient(error) or renewed) or (not was_open and failed > transport.retries):
                raise
            time.sleep(pause_of(failed, error.retry_after or 0.0))
