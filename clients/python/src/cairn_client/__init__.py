"""Cairn from Python: entities, tables, files, productions and the change feed.

from cairn_client import Client

with Client("https://cairn.example.org", "sk_…") as client:
    frame = client.query("Sample", {"tissue": "liver"}, as_of="2026-01-31T00:00:00Z").to_pandas()
"""

from .auth import Tokens, device_login
from .client import Client, aggregate_frame
from .errors import (
    CairnError,
    ConflictError,
    ForbiddenError,
    InvalidDataError,
    InvalidRequestError,
    NotFoundError,
    PreconditionFailedError,
    ProductionFailedError,
    ProtocolError,
    RateLimitedError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from .events import FeedItem
from .ingest import Report
from .query import Query

__all__ = [
    "CairnError",
    "Client",
    "ConflictError",
    "FeedItem",
    "ForbiddenError",
    "InvalidDataError",
    "InvalidRequestError",
    "NotFoundError",
    "PreconditionFailedError",
    "ProductionFailedError",
    "ProtocolError",
    "Query",
    "RateLimitedError",
    "Report",
    "Tokens",
    "UnauthorizedError",
    "UnavailableError",
    "ValidationError",
    "aggregate_frame",
    "device_login",
]
