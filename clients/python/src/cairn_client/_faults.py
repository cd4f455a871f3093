"""Which exception an answer is that says what went wrong."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

import httpx

from .errors import STATUS_OF_CODE, CairnError, ProtocolError, error_of


def json_in(content: bytes) -> Any:
    """The value of a JSON text; None where it is none."""
    try:
        return json.loads(content)
    except ValueError:
        return None


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    text = headers.get("retry-after", "")
    return float(text) if text.isdigit() else None


def fault_of(response: httpx.Response) -> CairnError:
    """The exception for a response that is an error. Its body has been read."""
    body = json_in(response.content)
    retry_after = _retry_after(response.headers)
    request_id = response.headers.get("x-request-id")
    if isinstance(body, dict):
        error = body.get("error")
        if isinstance(error, dict):  # the envelope of metadata
            return error_of(
                response.status_code,
                str(error.get("message")),
                request_id=request_id,
                retry_after=retry_after,
            )
        if isinstance(error, str):  # the gateway's own
            return error_of(
                response.status_code,
                str(body.get("message")),
                code=error,
                request_id=request_id,
                details=body.get("details"),
                retry_after=retry_after,
            )
        errors = body.get("errors")
        if isinstance(errors, list) and errors:
            return graphql_fault(errors[0], response.status_code, request_id)
    is_proxy = response.status_code in (429, 502, 503, 504)
    if is_proxy or response.request.method == "HEAD":  # whose answers have no text
        return error_of(
            response.status_code,
            f"{response.url.path} answered {response.status_code}",
            request_id=request_id,
            retry_after=retry_after,
        )
    return ProtocolError(
        f"{response.url} answered {response.status_code}, and not as Cairn does: check the address",
        status=response.status_code,
        request_id=request_id,
    )


def graphql_fault(error: Any, status: int, request_id: Optional[str]) -> CairnError:
    """The exception for an error of an operation."""
    error = error if isinstance(error, dict) else {}
    extensions = error.get("extensions") or {}
    code = str(extensions.get("code", "internal_error")).lower()
    return error_of(
        STATUS_OF_CODE.get(code, status if status >= 400 else 500),
        str(error.get("message", "the server gives no reason")),
        code=code,
        request_id=extensions.get("requestId", request_id),
        details=extensions.get("details"),
    )
