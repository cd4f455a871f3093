"""Credentials: API keys, tokens, and signing in through a browser (RFC 8628)."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable, Generator, Optional, Union

import httpx

from ._faults import fault_of
from .errors import CairnError, UnauthorizedError, UnavailableError

EARLY = 30.0
"""Seconds before the end of an access token at which a new one is fetched."""


@dataclass
class Tokens:
    """What a sign-in gives. Keep it like a password."""

    url: str
    access_token: str
    refresh_token: Optional[str]
    #: Seconds since the epoch.
    expires_at: float
    client_id: str = "cli"

    def __repr__(self) -> str:
        return f"Tokens(url={self.url!r}, expires_at={self.expires_at:.0f})"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes them to a file that only its owner can read, as a whole or not at all."""
        place = Path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent)  # 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(self), file)
            os.replace(name, place)
        except BaseException:
            os.unlink(name)
            raise

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Tokens":
        """Raises OSError where there is no such file."""
        return cls(**json.loads(Path(path).read_text(encoding="utf-8")))


class KeyAuth(httpx.Auth):
    """An API key, or an access token that is not renewed."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        name, value = (
            ("X-API-Key", self._secret)
            if self._secret.startswith("sk_")
            else ("Authorization", f"Bearer {self._secret}")
        )
        request.headers[name] = value
        yield request


class TokenAuth(httpx.Auth):
    """Tokens that are renewed before they end. ``on_renewed`` gets the new ones, to be kept."""

    requires_response_body = True

    def __init__(self, tokens: Tokens, on_renewed: Optional[Callable[[Tokens], None]] = None) -> None:
        self.tokens = tokens
        self._on_renewed = on_renewed
        self._lock = threading.Lock()

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self.tokens.expires_at - EARLY < time.time() and self.tokens.refresh_token:
            self._renew(self.tokens.access_token)
        sent = self.tokens.access_token
        request.headers["Authorization"] = f"Bearer {sent}"
        response = yield request
        if response.status_code == 401 and self.tokens.refresh_token and not _is_stream(request):
            self._renew(sent)
            request.headers["Authorization"] = f"Bearer {self.tokens.access_token}"
            yield request

    def _renew(self, rejected: str) -> None:
        with self._lock:
            if self.tokens.access_token != rejected:  # another thread has renewed them
                return
            self.tokens = _exchange(
                self.tokens.url,
                {"grant_type": "refresh_token", "refresh_token": self.tokens.refresh_token},
                self.tokens.client_id,
            )
        if self._on_renewed is not None:
            self._on_renewed(self.tokens)


def _is_stream(request: httpx.Request) -> bool:
    """Whether the body of a request has been used up by sending it."""
    return not hasattr(request, "_content")


def _post(url: str, form: Any) -> Any:
    try:
        response = httpx.post(url, data=form, timeout=30.0)
    except httpx.TransportError as fault:
        raise UnavailableError(f"{url} does not answer: {fault}", code="unreachable") from fault
    if response.status_code >= 400:
        raise fault_of(response)
    return response.json()


def _exchange(url: str, form: Any, client_id: str) -> Tokens:
    answer = _post(f"{url}/api/v1/gateway/auth/token", {**form, "client_id": client_id})
    return Tokens(
        url=url,
        access_token=answer["access_token"],
        refresh_token=answer.get("refresh_token"),
        expires_at=time.time() + answer["expires_in"],
        client_id=client_id,
    )


def _show(uri: str, code: str) -> None:
    print(f"To sign in, open {uri} and check that it shows the code {code}.", flush=True)


def device_login(
    url: str,
    *,
    client_id: str = "cli",
    on_code: Callable[[str, str], None] = _show,
) -> Tokens:
    """Signs in a person through a browser, on this machine or another.

    ``on_code`` is told the address to open and the code that it shows. Waits until the person has approved.
    Raises UnauthorizedError if they refuse or ten minutes pass.
    """
    url = url.rstrip("/")
    device = _post(f"{url}/api/v1/gateway/auth/device", {"client_id": client_id})
    on_code(device["verification_uri_complete"], device["user_code"])
    pause = device["interval"]
    end = time.monotonic() + device["expires_in"]
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device["device_code"],
    }
    while time.monotonic() < end:
        time.sleep(pause)
        try:
            return _exchange(url, form, client_id)
        except CairnError as error:
            if error.code == "slow_down":
                pause += 5
            elif error.code != "authorization_pending":
                raise UnauthorizedError(
                    f"the sign-in was not approved: {error.message}", code=error.code, status=error.status
                ) from error
    raise UnauthorizedError("the sign-in was not approved in time", code="expired_token")
