"""Sends requests: with the credential, again where that is safe, and with errors as exceptions."""

from __future__ import annotations

import json
import random
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Mapping, Optional
from urllib.parse import quote, urlsplit

import httpx

from ._faults import fault_of, graphql_fault, json_in
from .errors import CairnError, InvalidDataError, ProtocolError, RateLimitedError, UnavailableError

READ = "read"
"""Changes nothing: may be sent again after any failure of the transport."""
IDEMPOTENT = "idempotent"
"""Leaves the same state when sent twice."""
ONCE = "once"
"""Would fail, or do more, the second time."""

FIRST_PAUSE = 0.2
MAX_PAUSE = 20.0

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def route(template: str, *values: str) -> str:
    """A path whose ``{}`` are the values, encoded."""
    return template.format(*(quote(value, safe="") for value in values))


def as_json(value: Any) -> bytes:
    """The JSON text of a value, in UTF-8. Raises InvalidDataError where JSON cannot say it."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as fault:
        raise InvalidDataError(f"not JSON: {fault}") from fault


@dataclass
class Answer:
    """An answer that is no error."""

    status: int
    headers: Mapping[str, str]
    #: The payload: without the envelope, where there is one.
    body: Any
    #: ``meta`` of the envelope; empty without one.
    meta: Mapping[str, Any]


def _unreachable(fault: httpx.TransportError, host: str) -> UnavailableError:
    never = isinstance(fault, NEVER_SENT)
    code = "timeout" if isinstance(fault, httpx.TimeoutException) and not never else "unreachable"
    error = UnavailableError(
        f"{host} {'cannot be reached' if never else 'did not answer'}: {str(fault) or type(fault).__name__}",
        code=code,
    )
    error.reached = "no" if never else "unknown"
    return error


def _may_repeat(safety: str, error: CairnError) -> bool:
    """Whether a request may be sent again: never where that could make a write twice."""
    if isinstance(error, UnavailableError):
        told = error.retry_after is not None  # then the server has refused it, and done nothing
        return error.reached == "no" or safety == READ or (safety == IDEMPOTENT and told)
    if isinstance(error, RateLimitedError):  # refused before anything was done
        return safety == READ or error.retry_after is not None
    return False


def pause_of(failed: int, asked: float = 0.0) -> float:
    """Seconds before the next attempt: longer each time, at least as long as the server asks."""
    own: float = min(FIRST_PAUSE * 2 ** (failed - 1), MAX_PAUSE) * (0.5 + random.random() / 2)
    return max(own, asked)


class Transport:
    """One server, one credential."""

    def __init__(
        self,
        url: str,
        *,
        auth: Optional[httpx.Auth],
        project: Optional[str],
        retries: int,
        timeout: float,
        on_warning: Optional[Callable[[str], None]],
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InvalidDataError(f"{url!r} is not the address of a server")
        self.url = url.rstrip("/")
        self.retries = retries
        self._on_warning = on_warning
        self._http = httpx.Client(
            auth=auth,
            timeout=httpx.Timeout(timeout, connect=min(timeout, 10.0)),
            headers={
                "user-agent": "cairn-client-python/0.1.0",
                **({"x-project": project} if project else {}),
            },
        )

    def close(self) -> None:
        self._http.close()

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Any = None,
        body: Any = None,
        content: Optional[bytes] = None,
        headers: Optional[Mapping[str, str]] = None,
        safety: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Sends it, again where that is safe. Raises CairnError."""
        sent = dict(headers or {})
        sent.setdefault("accept", "application/json")
        if body is not None:
            content = as_json(body)
            sent["content-type"] = "application/json"
        how = safety or (READ if method in ("GET", "HEAD") else ONCE)
        for failed in range(1, self.retries + 2):
            try:
                return self._once(method, path, params, content, sent, timeout)
            except CairnError as error:
                asked = error.retry_after or 0.0
                if failed > self.retries or not _may_repeat(how, error) or asked > MAX_PAUSE:
                    raise
                time.sleep(pause_of(failed, asked))
        raise AssertionError("a loop that returns or raises")

    def _once(
        self,
        method: str,
        path: str,
        params: Any,
        content: Optional[bytes],
        headers: Mapping[str, str],
        timeout: Optional[float],
    ) -> Answer:
        limit = self._http.timeout if timeout is None else httpx.Timeout(timeout, connect=10.0)
        try:
            response = self._http.request(
                method, self.url + path, params=params, content=content, headers=headers, timeout=limit
            )
        except httpx.TransportError as fault:
            raise _unreachable(fault, self.host) from fault
        return self._read(response)

    def _read(self, response: httpx.Response) -> Answer:
        if response.status_code >= 400:
            raise fault_of(response)
        if response.status_code >= 300 and response.status_code != 304:
            raise ProtocolError(
                f"{response.url} redirects to {response.headers.get('location')}: use that address"
            )
        meta: Mapping[str, Any] = {}
        body = json_in(response.content) if response.content else None
        if isinstance(body, dict) and set(body) == {"data", "error", "meta"}:
            body, meta = body["data"], body["meta"]
        elif response.content and body is None and "json" in response.headers.get("content-type", ""):
            raise ProtocolError(f"{response.url} answered what is not JSON")
        self.warn(meta.get("warnings") or json_in(response.headers.get("x-warnings", "[]").encode()))
        return Answer(response.status_code, response.headers, body, meta)

    def warn(self, warnings: Any) -> None:
        for warning in warnings if isinstance(warnings, list) else []:
            if self._on_warning is not None:
                self._on_warning(str(warning))

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        params: Any = None,
        body: Any = None,
        content: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        silence: float = 120.0,
    ) -> Iterator[httpx.Response]:
        """A response whose body is read as it comes; ``silence`` is how long nothing may come, in seconds.

        It is sent once. Raises CairnError for an answer that is an error, and for a connection that breaks.
        """
        sent = dict(headers or {})
        if body is not None:
            content = as_json(body)
            sent["content-type"] = "application/json"
        timeout = httpx.Timeout(silence, connect=10.0)
        try:
            with ExitStack() as open_answers:
                response = open_answers.enter_context(
                    self._http.stream(
                        method, self.url + path, params=params, content=content, headers=sent, timeout=timeout
                    )
                )
                if method == "GET" and response.status_code == 307:
                    # the store itself gives out the file: it is not to get the credential
                    response = open_answers.enter_context(
                        httpx.stream("GET", response.headers["location"], headers=sent, timeout=timeout)
                    )
                if response.status_code >= 400:
                    response.read()
                    raise fault_of(response)
                self.warn(json_in(response.headers.get("x-warnings", "[]").encode()))
                yield response
        except httpx.TransportError as fault:
            raise _unreachable(fault, self.host) from fault

    def graphql(self, document: str, variables: Mapping[str, Any], safety: str) -> Any:
        """``data`` of an operation. Raises the exception of its first error."""
        answer = self.request(
            "POST",
            "/graphql",
            body={"query": document, "variables": variables},
            headers={"accept": "application/graphql-response+json, application/json;q=0.9"},
            safety=safety,
        )
        result = answer.body if isinstance(answer.body, dict) else {}
        errors: List[Any] = result.get("errors") or []
        if errors:
            raise graphql_fault(errors[0], answer.status, answer.headers.get("x-request-id"))
        self.warn((result.get("extensions") or {}).get("warnings"))
        return result.get("data")


def is_transient(error: CairnError) -> bool:
    """Whether what was read may be read on after a pause."""
    return isinstance(error, (UnavailableError, RateLimitedError))


__all__ = [
    "Answer",
    "IDEMPOTENT",
    "ONCE",
    "READ",
    "Transport",
    "as_json",
    "is_transient",
    "pause_of",
    "route",
]
