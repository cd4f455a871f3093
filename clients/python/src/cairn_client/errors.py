"""The exceptions of the client: one for each case that a caller may want to handle by itself."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class CairnError(Exception):
    """Base of all exceptions of this package. None of them contains a credential."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal_error",
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: A code of the server's closed list, or ``unreachable``, ``timeout``, ``protocol``, ``invalid_data``.
        self.code = code
        #: The HTTP status; None where there was no answer.
        self.status = status
        #: The id of the failed request in the server's log.
        self.request_id = request_id
        self.details: Mapping[str, Any] = details or {}
        #: Seconds after which the server asks to try again; None where it does not say.
        self.retry_after: Optional[float] = None


class InvalidDataError(CairnError, ValueError):
    """A value that cannot be sent as JSON without a change of its meaning. Nothing was sent."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="invalid_data")


class ProtocolError(CairnError):
    """The answer does not come from Cairn, or is not what the protocol says."""

    def __init__(self, message: str, **info: Any) -> None:
        super().__init__(message, **{"code": "protocol", **info})


class UnauthorizedError(CairnError):
    """No credential, or one that is invalid, expired or revoked (401)."""


class ForbiddenError(CairnError):
    """The roles or projects of the caller do not suffice (403)."""


class NotFoundError(CairnError):
    """No such thing, or none that the caller may see (404)."""


class ConflictError(CairnError):
    """The request contradicts what is stored (409)."""


class PreconditionFailedError(ConflictError):
    """The entity has another version than the one that was named (412)."""


class InvalidRequestError(CairnError):
    """A malformed request, filter or parameter (400, 406, 413, 415, 416)."""


class ValidationError(CairnError):
    """The data or a parameter is not valid (422)."""


class RateLimitedError(CairnError):
    """Too many requests (429)."""


class UnavailableError(CairnError):
    """The server, or a part of it, does not answer, or not in time.

    ``reached`` is ``"no"`` where the request was not sent, else ``"unknown"``: a write may then have been made.
    """

    reached: str = "unknown"


class ProductionFailedError(CairnError):
    """A production ended without its result; ``details`` has what the production says of it."""


BY_STATUS = {
    400: (InvalidRequestError, "invalid_request"),
    401: (UnauthorizedError, "invalid_token"),
    403: (ForbiddenError, "insufficient_role"),
    404: (NotFoundError, "not_found"),
    406: (InvalidRequestError, "not_acceptable"),
    409: (ConflictError, "conflict"),
    412: (PreconditionFailedError, "precondition_failed"),
    413: (InvalidRequestError, "payload_too_large"),
    415: (InvalidRequestError, "unsupported_media_type"),
    416: (InvalidRequestError, "range_not_satisfiable"),
    422: (ValidationError, "validation_failed"),
    423: (ConflictError, "locked"),
    429: (RateLimitedError, "rate_limit_exceeded"),
    460: (ConflictError, "checksum_mismatch"),
    502: (UnavailableError, "component_unavailable"),
    503: (UnavailableError, "component_unavailable"),
    504: (UnavailableError, "upstream_timeout"),
}
"""The exception of each status, and the code where the answer names none: metadata names the status only."""

STATUS_OF_CODE = {
    "invalid_request": 400,
    "missing_token": 401,
    "invalid_token": 401,
    "expired_token": 401,
    "revoked_token": 401,
    "insufficient_role": 403,
    "project_scope_denied": 403,
    "not_found": 404,
    "conflict": 409,
    "precondition_failed": 412,
    "payload_too_large": 413,
    "validation_failed": 422,
    "rate_limit_exceeded": 429,
    "component_unavailable": 503,
    "runner_unavailable": 503,
    "upstream_timeout": 504,
}
"""The status of the codes in GraphQL's errors, whose answers have status 200."""


def error_of(
    status: int,
    message: str,
    *,
    code: Optional[str] = None,
    request_id: Optional[str] = None,
    details: Optional[Mapping[str, Any]] = None,
    retry_after: Optional[float] = None,
) -> CairnError:
    """The exception for an answer that is an error."""
    kind, usual = BY_STATUS.get(status, (CairnError, "internal_error"))
    error = kind(message, code=code or usual, status=status, request_id=request_id, details=details)
    error.retry_after = retry_after
    return error
