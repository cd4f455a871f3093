"""Data frames in and out: pandas, polars and pyarrow, whichever is installed. None of them is needed otherwise."""

from __future__ import annotations

import datetime
import importlib.util
import json
import math
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from .errors import InvalidDataError

COLUMNS = ("id", "entity_type", "version", "created_at", "updated_at", "is_available")
"""The columns of an entity that stand before its fields (docs/reference/metadata.md#tables)."""


class Field(NamedTuple):
    """A field of a schema, inherited ones included."""

    name: str
    type: str
    many: bool
    #: The references that lead to it from the entity; none for a field of its own.
    path: Tuple[str, ...] = ()

    def of(self, entity: Mapping[str, Any]) -> Any:
        """Its value, in an entity of an NDJSON export."""
        reached: Optional[Mapping[str, Any]] = entity
        for step in self.path:
            reached = (reached or {}).get("expanded", {}).get(step)
        return None if reached is None else reached["data"].get(self.name)


def has_pyarrow() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def rows_of(data: Any, types: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """The rows of a frame, a table, or of whatever can be iterated over."""
    library = type(data).__module__.split(".")[0]
    if library not in ("polars", "pyarrow"):
        yield from _rows_of(data, library)
        return
    texts = {f"data.{name}" if name in COLUMNS else name for name, kind in types.items() if kind == "json"}
    for row in _rows_of(data, library):
        yield {name: _of_json_text(cell) if name in texts else cell for name, cell in row.items()}


def _of_json_text(cell: Any) -> Any:
    """What a text of polars or pyarrow says, whose columns hold no JSON: as the server reads one of Parquet or CSV."""
    if isinstance(cell, (list, tuple)):
        return [_of_json_text(item) for item in cell]
    if not isinstance(cell, str):
        return cell
    try:
        return json.loads(cell, parse_constant=_no_json)
    except ValueError:
        return cell


def _no_json(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _rows_of(data: Any, library: str) -> Iterator[Mapping[str, Any]]:
    if library == "pandas":
        names = [str(name) for name in data.columns]
        for values in data.itertuples(index=False, name=None):
            yield dict(zip(names, values))
    elif library == "polars":
        yield from (
            data.collect().iter_rows(named=True) if hasattr(data, "collect") else data.iter_rows(named=True)
        )
    elif library == "pyarrow":
        for batch in data.to_batches():
            yield from batch.to_pylist()
    else:
        for row in data:
            if not isinstance(row, Mapping):
                raise InvalidDataError(f"a row is a mapping of names to values, not {type(row).__name__}")
            yield row


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def json_value(value: Any, name: str, field_type: Optional[str] = None) -> Any:
    """A value of a cell as JSON has it. Raises InvalidDataError where that would change it."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            raise InvalidDataError(f"{name}: JSON has no {value}")
        return value
    if isinstance(value, datetime.datetime):
        return _time_text(value, name, field_type)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): json_value(item, f"{name}.{key}") for key, item in value.items()}
    if hasattr(value, "tolist"):  # of numpy: a scalar or an array
        return json_value(value.tolist(), name, field_type)
    if isinstance(value, (list, tuple)):
        return [json_value(item, f"{name}[{i}]", field_type) for i, item in enumerate(value)]
    raise InvalidDataError(f"{name}: {type(value).__name__} has no form in JSON: make it a text or a number")


def _time_text(value: datetime.datetime, name: str, field_type: Optional[str]) -> str:
    if field_type == "date":
        if value.time() != datetime.time():
            raise InvalidDataError(f"{name}: a date has no time of day: {value.isoformat()}")
        return value.date().isoformat()
    if value.tzinfo is None:
        raise InvalidDataError(
            f"{name}: {value.isoformat()} has no time zone, so it is no instant: give it one "
            '(pandas: .dt.tz_localize("UTC"), polars: .dt.replace_time_zone("UTC"))'
        )
    return value.isoformat()


def data_of(row: Mapping[str, Any], types: Mapping[str, str], without: Iterable[str] = ()) -> Dict[str, Any]:
    """The fields of a row that have a value. An empty cell says nothing of its field."""
    left_out = set(without)
    own = {f"data.{name}": name for name in COLUMNS if name in types}  # as `_columns` names them
    return {
        own.get(name, name): json_value(value, name, types.get(own.get(name, name)))
        for name, value in row.items()
        if name not in left_out and not is_missing(value)
    }


def _columns(fields: List[Field]) -> List[Tuple[str, Field]]:
    names = set(COLUMNS)
    columns = []
    for field in fields:
        name = ".".join((*field.path, field.name))
        if field.path:
            while name in names:
                name = f"expanded.{name}"
        elif name in names:
            name = f"data.{name}"
        names.add(name)
        columns.append((name, field))
    return columns


def _dtype_of(field: Field) -> str:
    if field.many:
        return "object"
    return {"int": "Int64", "float": "Float64", "bool": "boolean"}.get(field.type, "object")


def pandas_from_lines(lines: Iterable[str], fields: List[Field]) -> Any:
    """A DataFrame of the lines of an NDJSON export, with the types of the schema."""
    import pandas

    columns = _columns(fields)
    cells: Dict[str, List[Any]] = {name: [] for name in (*COLUMNS, *(name for name, _ in columns))}
    for line in lines:
        if not line:
            continue
        entity = json.loads(line)
        for name in COLUMNS:
            cells[name].append(entity[name])
        for name, field in columns:
            cells[name].append(field.of(entity))
    frame = pandas.DataFrame({name: _objects(values) for name, values in cells.items()})
    for name, dtype in (("version", "Int64"), ("is_available", "boolean")):
        frame[name] = frame[name].astype(dtype)
    for name in ("created_at", "updated_at"):
        frame[name] = _instants(frame[name])
    for name, field in columns:
        if field.many:
            continue
        if field.type == "datetime":
            frame[name] = _instants(frame[name])
        elif field.type == "date":
            frame[name] = _objects(
                None if text is None else datetime.date.fromisoformat(text) for text in frame[name]
            )
        else:
            frame[name] = frame[name].astype(_dtype_of(field))
    return frame


def _instants(times: Any) -> Any:
    """A column of texts or datetimes. With a time that nanoseconds cannot say (before 1678, after 2261), of datetimes."""
    import pandas

    try:
        return pandas.to_datetime(times, utc=True).astype("datetime64[ns, UTC]")
    except pandas.errors.OutOfBoundsDatetime:
        return _objects(_datetime(time) for time in times)


def _datetime(time: Any) -> Optional[datetime.datetime]:
    if is_missing(time):
        return None
    if isinstance(time, str):
        return datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    return time.astimezone(datetime.timezone.utc)


def arrow_from_bytes(content: bytes) -> Any:
    """A pyarrow.Table of an export in Arrow's stream format."""
    import pyarrow.ipc

    with pyarrow.ipc.open_stream(content) as reader:
        return reader.read_all()


def pandas_from_arrow(content: bytes, fields: List[Field]) -> Any:
    """The same DataFrame as `pandas_from_lines` makes, from Arrow's stream format."""
    import pandas
    import pyarrow

    kinds = {
        pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.int32(): pandas.Int64Dtype(),
        pyarrow.float64(): pandas.Float64Dtype(),
        pyarrow.bool_(): pandas.BooleanDtype(),
    }
    table = arrow_from_bytes(content)
    try:
        frame = table.to_pandas(types_mapper=kinds.get)
    except pyarrow.ArrowInvalid:  # a time that nanoseconds cannot say, before pandas 2
        frame = table.to_pandas(types_mapper=kinds.get, timestamp_as_object=True)
    instants = {column.name for column in table.schema if pyarrow.types.is_timestamp(column.type)}
    types = {name: field for name, field in _columns(fields)}
    for name in frame.columns:
        field = types.get(name, Field(name, "string", False))
        if name in instants:
            frame[name] = _instants(frame[name])
        elif field.many:
            frame[name] = _objects(list(cell) if cell is not None else None for cell in frame[name])
        elif field.type == "json":
            frame[name] = _objects(None if is_missing(cell) else json.loads(cell) for cell in frame[name])
        elif frame[name].dtype.name not in ("Int64", "Float64", "boolean"):
            frame[name] = _objects(None if is_missing(cell) else cell for cell in frame[name])
    return frame


def _objects(cells: Iterable[Any]) -> Any:
    import pandas

    return pandas.Series(list(cells), dtype="object")


def polars_from_bytes(content: bytes) -> Any:
    """A polars.DataFrame of an export in Arrow's stream format; fields of type json are texts of JSON."""
    import polars

    return polars.read_ipc_stream(content)
