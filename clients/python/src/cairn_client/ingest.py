"""Loads many rows: in requests of a bounded size, with an outcome for each row."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from . import frames
from ._transport import IDEMPOTENT, ONCE, Transport, as_json
from .errors import InvalidDataError, ValidationError
from .types import BulkAnswerOutcomesItem

ROWS = 2_000
BYTES = 4 * 1024 * 1024
"""Of one request, at most; a single row may be larger."""

PATH = "/api/v1/metadata/ingest/bulk"


@dataclass
class Report:
    """What became of the rows of a load."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: int = 0
    #: The refused rows, with ``row`` (from 0), ``code`` (the HTTP status), ``message``, ``rule_id``, ``details``.
    failures: List[BulkAnswerOutcomesItem] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return self.created + self.updated + self.unchanged + self.failed

    def raise_for_failures(self) -> "Report":
        """Raises ValidationError with the first refusal, if there is one."""
        if self.failures:
            first = self.failures[0]
            raise ValidationError(
                f"{self.failed} of {self.rows} rows were refused; row {first['row']}: {first['message']}",
                code="validation_failed",
                status=first["code"],
                details={"failures": self.failures},
            )
        return self


def _requests(rows: Iterator[Tuple[int, bytes, bool]]) -> Iterator[Tuple[int, List[bytes], bool]]:
    """The rows in requests: position of the first, lines, and whether all have ids."""
    start, size, has_ids = 0, 0, True
    lines: List[bytes] = []
    for position, line, has_id in rows:
        if lines and (len(lines) == ROWS or size + len(line) > BYTES):
            yield start, lines, has_ids
            start, lines, size, has_ids = position, [], 0, True
        lines.append(line)
        size += len(line) + 1
        has_ids = has_ids and has_id
    if lines:
        yield start, lines, has_ids


def ready_rows(
    data: Any,
    *,
    entity_type: Optional[str],
    id: Any,
    types: Mapping[str, str],
) -> Iterator[Tuple[int, bytes, bool]]:
    """Position, line and whether it has an id, of each row. Raises InvalidDataError with its position."""
    for position, row in enumerate(frames.rows_of(data, types)):
        try:
            ready = _row(row, entity_type, id, types)
        except InvalidDataError as fault:
            raise InvalidDataError(f"row {position}: {fault.message}") from fault
        yield position, as_json(ready), "id" in ready


def _row(
    row: Mapping[str, Any], entity_type: Optional[str], id: Any, types: Mapping[str, str]
) -> Dict[str, Any]:
    if entity_type is None:  # rows as the server takes them
        whole = {name: frames.json_value(value, name) for name, value in row.items()}
        if "entity_type" not in whole or "data" not in whole:
            raise InvalidDataError("without entity_type=, a row is {entity_type, id, data}")
        return whole
    column = id if isinstance(id, str) else "id"
    own = id(row) if callable(id) else row.get(column)
    if isinstance(id, str) and column not in row:
        raise InvalidDataError(f"there is no column {column!r}: {', '.join(map(str, row))}")
    # what a query added, or the id's own column: not data where the type has no such field
    without = [
        name
        for name in (*frames.COLUMNS, *([column] if isinstance(id, str) else []))
        if name not in types or f"data.{name}" in row
    ]
    ready: Dict[str, Any] = {"entity_type": entity_type, "data": frames.data_of(row, types, without)}
    if not frames.is_missing(own):
        ready["id"] = str(frames.json_value(own, column))
    return ready


def ingest_rows(
    transport: Transport,
    rows: Iterator[Tuple[int, bytes, bool]],
    *,
    context: Optional[Mapping[str, Any]],
    dry_run: bool,
    all_or_nothing: bool,
    on_progress: Optional[Callable[[Report], None]],
) -> Report:
    report = Report()
    headers = {"content-type": "application/x-ndjson"}
    if context is not None:
        headers["x-metadata-context"] = json.dumps(context, allow_nan=False)
    params = {
        **({"dry_run": "true"} if dry_run else {}),
        **({"all_or_nothing": "true"} if all_or_nothing else {}),
    }
    together = dry_run or all_or_nothing  # rows are judged together: all in one request
    parts = [_whole(rows)] if together else _requests(rows)
    for start, lines, has_ids in parts:
        answer = transport.request(
            "POST",
            PATH,
            params=params,
            content=b"\n".join(lines) + b"\n",
            headers=headers,
            safety=IDEMPOTENT if has_ids or dry_run else ONCE,
            timeout=300.0,
        ).body
        for name in ("created", "updated", "unchanged", "failed"):
            setattr(report, name, getattr(report, name) + answer[name])
        for outcome in answer["outcomes"]:
            if "code" in outcome:
                outcome["row"] += start
                report.failures.append(outcome)
        if on_progress is not None:
            on_progress(report)
    return report


def _whole(rows: Iterator[Tuple[int, bytes, bool]]) -> Tuple[int, List[bytes], bool]:
    ready = list(rows)
    return 0, [line for _, line, _ in ready], all(has_id for _, _, has_id in ready)
