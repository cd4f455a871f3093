"""Files up and down: streamed, continued where a connection broke, and compared by their hash."""

from __future__ import annotations

import base64
import datetime
import hashlib
import os
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Tuple, Union
from urllib.parse import urlencode

from . import frames
from ._transport import Transport, is_transient, pause_of, route
from .errors import CairnError, ConflictError, ProtocolError
from .types import AttachedFile

READ_BYTES = 1024 * 1024
MAX_FRUITLESS = 6
"""Times in a row that a transfer is tried again without a byte having come through."""

UPLOADS = "/api/v1/artifact/uploads"
TUS = {"tus-resumable": "1.0.0"}

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], None]
"""Told the bytes that are there, and how many there are in all."""


def write_whole(path: PathLike, chunks: Iterable[bytes]) -> int:
    """Writes a file that is there as a whole or not at all. Returns its size in bytes."""
    place = Path(path)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    size = 0
    try:
        with open(part, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
                size += len(chunk)
        os.replace(part, place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return size


def sha256_of(path: PathLike) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(READ_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


class Files:
    """Stored files: ``client.files``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        path: PathLike,
        *,
        entity_id: Optional[str] = None,
        field: Optional[str] = None,
        name: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> str:
        """Stores a file, and attaches it to a field of an entity where one is named. Returns ``sha256:…``.

        Goes on where it broke off, also in a later run. Raises ConflictError over a quota.
        """
        size = os.stat(path).st_size
        digest = sha256_of(path)
        where = {"entity_id": entity_id, "field": field}
        place, offset = self._unfinished(digest, size, where) or (
            self._begin(digest, size, {"filename": name or Path(path).name, **where}),
            0,
        )
        fruitless = 0
        while True:
            try:
                headers = self._send(path, place, offset, size, on_progress)
                break
            except CairnError as error:
                resumable = (
                    is_transient(error) or isinstance(error, ConflictError) and "offset" in error.details
                )
                now = self._offset(place) if resumable else None
                if now is None:
                    raise
                fruitless = 0 if now > offset else fruitless + 1
                if fruitless > MAX_FRUITLESS:
                    raise
                offset = now
                time.sleep(pause_of(fruitless + 1))
        return str(headers.get("upload-hash", f"sha256:{digest}"))

    def _unfinished(
        self, digest: str, size: int, where: Dict[str, Optional[str]]
    ) -> Optional[Tuple[str, int]]:
        """Where an upload of this file goes on that was begun before."""
        for one in self._listed(UPLOADS):
            same = one["expected_hash"] == f"sha256:{digest}" and one["length"] == size
            open_ = one["finished_at"] is None and one["fault"] is None
            if same and open_ and all(one[key] == value for key, value in where.items()):
                return f"{UPLOADS}/{one['id']}", int(one["offset"])
        return None

    def _listed(self, path: str) -> Iterator[Any]:
        cursor: Optional[str] = None
        while True:
            page = self._transport.request(
                "GET", path, params={} if cursor is None else {"cursor": cursor}
            ).body
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _begin(self, digest: str, size: int, about: Dict[str, Optional[str]]) -> str:
        told = {"sha256": digest, **{key: value for key, value in about.items() if value is not None}}
        metadata = ",".join(
            f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in told.items()
        )
        answer = self._transport.request(
            "POST", UPLOADS, headers={**TUS, "upload-length": str(size), "upload-metadata": metadata}
        )
        return UPLOADS + "/" + answer.headers["location"].rstrip("/").rpartition("/")[2]

    def _offset(self, place: str) -> Optional[int]:
        try:
            answer = self._transport.request("HEAD", place, headers=TUS)
        except CairnError as error:
            if error.status in (404, 410):
                return None
            raise
        return int(answer.headers["upload-offset"])

    def _send(
        self, path: PathLike, place: str, offset: int, size: int, on_progress: Optional[Progress]
    ) -> Any:
        def chunks() -> Iterator[bytes]:
            done = offset
            with open(path, "rb") as file:
                file.seek(offset)
                while chunk := file.read(READ_BYTES):
                    yield chunk
                    done += len(chunk)
                    if on_progress is not None:
                        on_progress(done, size)

        headers = {
            **TUS,
            "upload-offset": str(offset),
            "content-type": "application/offset+octet-stream",
            "content-length": str(size - offset),
        }
        with self._transport.stream("PATCH", place, content=chunks(), headers=headers) as response:
            response.read()
            return response.headers

    def attach(self, hash: str, entity_id: str, field: str, *, name: Optional[str] = None) -> AttachedFile:
        """Has a field of an entity hold a file that the caller has uploaded or may read."""
        attached: AttachedFile = self._transport.request(
            "PUT",
            route("/api/v1/metadata/entities/{}/files/{}", entity_id, field),
            body={"hash": hash, "name": name},
        ).body
        return attached

    def download(
        self,
        path: PathLike,
        *,
        hash: Optional[str] = None,
        entity_id: Optional[str] = None,
        field: str = "uri",
        as_of: Union[str, datetime.datetime, None] = None,
        on_progress: Optional[Progress] = None,
    ) -> str:
        """Writes a stored file: the one with this hash, or that this field holds, or held at a time. Returns ``sha256:…``.

        The file is there as a whole and with the hash that the server named, or not at all.
        """
        source = self._place(hash, entity_id, field, as_of)
        head = self._transport.request("HEAD", source)
        digest = head.headers["etag"].strip('"')
        size = int(head.headers["content-length"])
        place = Path(path)
        part = place.with_name(f"{place.name}.{digest[:12]}.part")  # of another file it is another one
        fruitless = 0
        while _size_of(part) < size or not part.exists():
            before = _size_of(part)
            try:
                self._receive(source, part, digest, size, on_progress)
            except CairnError as error:
                fruitless = 0 if _size_of(part) > before else fruitless + 1
                if not is_transient(error) or fruitless > MAX_FRUITLESS:
                    raise
                time.sleep(pause_of(fruitless + 1))
        found = sha256_of(part)
        if found != digest:
            part.unlink()
            raise ProtocolError(f"what came has the hash {found}, not {digest}: it was removed")
        os.replace(part, place)
        return f"sha256:{digest}"

    def _receive(
        self, source: str, part: Path, digest: str, size: int, on_progress: Optional[Progress]
    ) -> None:
        begin = _size_of(part)
        headers = {} if begin == 0 else {"range": f"bytes={begin}-", "if-range": f'"{digest}"'}
        with self._transport.stream("GET", source, headers=headers) as response:
            with open(part, "ab" if response.status_code == 206 else "wb") as file:
                for chunk in response.iter_bytes():
                    file.write(chunk)
                    if on_progress is not None:
                        on_progress(file.tell(), size)

    def read(
        self,
        *,
        hash: Optional[str] = None,
        entity_id: Optional[str] = None,
        field: str = "uri",
        as_of: Union[str, datetime.datetime, None] = None,
    ) -> bytes:
        """The content of a small stored file."""
        with self._transport.stream("GET", self._place(hash, entity_id, field, as_of)) as response:
            return response.read()

    def _place(
        self,
        hash: Optional[str],
        entity_id: Optional[str],
        field: str,
        as_of: Union[str, datetime.datetime, None],
    ) -> str:
        if (hash is None) == (entity_id is None):
            raise ValueError("name either hash= or entity_id=")
        if hash is not None:
            if as_of is not None:
                raise ValueError("as_of goes with entity_id=")
            return route("/api/v1/artifact/files/{}", hash.rpartition(":")[2])
        place = route("/api/v1/metadata/entities/{}/files/{}", str(entity_id), field)
        return place if as_of is None else f"{place}?{urlencode({'as_of': frames.json_value(as_of, 'as_of')})}"

    def list(self) -> Iterator[Any]:
        """The caller's uploaded files: ``file``, ``uploaded_at``, ``expires_at``, ``is_attached``."""
        return self._listed("/api/v1/artifact/files")


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
