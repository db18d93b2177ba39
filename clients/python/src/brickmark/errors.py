"""Errors of calls: an error response of the server, or no response at all."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .types import ErrorCode


class Budget(NamedTuple):
    """A key's daily allowance, and the calls left."""

    limit: int
    """The daily allowance."""
    remaining: int
    """Calls left until the reset."""
    reset: str
    """When the allowance resets, as an ISO 8601 instant: the next midnight UTC."""


class BrickmarkError(Exception):
    """An error response."""

    code: ErrorCode | Literal["UnexpectedResponse"]
    """The error code, such as `NotFound`. `UnexpectedResponse` means that the response is not from
    Brickmark: the address is wrong, or a proxy failed."""
    message: str
    status: int
    """The HTTP status."""
    request_id: str | None
    """ID of the response. Include it when you report a problem."""
    retry_after: float | None
    """Seconds to wait before trying again; None if the server does not say."""
    budget: Budget | None
    """The calls left; None if the response does not have them."""

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode | Literal["UnexpectedResponse"],
        status: int,
        request_id: str | None = None,
        retry_after: float | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.budget = budget


class NetworkError(Exception):
    """No response: the server could not be reached, the connection was lost, or it timed out."""

    is_timeout: bool
    """Whether the call timed out (`timeout`). It may have been charged, and is not retried."""

    def __init__(self, message: str, *, is_timeout: bool = False) -> None:
        super().__init__(message)
        self.is_timeout = is_timeout
