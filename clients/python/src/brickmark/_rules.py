"""What does not depend on how requests are sent: addresses, keys, errors, retries and batches."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from math import ceil, inf
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ._cache import AnswerCache
from .errors import BrickmarkError, Budget, NetworkError
from .types import BATCH_ITEMS_MAX, RETRY_RULES

RETRIES = 2
TIMEOUT_SECONDS = 30.0
WAIT_SECONDS = 60.0
DAY_SECONDS = 86_400.0

# Between attempts of a call, and between connections of a stream: the least and the most.
CALL_PAUSES = (0.25, 8.0)
RECONNECT_PAUSES = (1.0, 60.0)


@dataclass(frozen=True)
class Settings:
    """The options of a client, checked."""

    base: str
    """Without a trailing slash."""
    key: str = field(repr=False)
    retries: int
    timeout: float
    wait_seconds_max: float
    """The most that a call waits in total for `Retry-After`."""
    on_budget: Callable[[Budget], None] | None
    cache: AnswerCache | None


@dataclass(frozen=True)
class Request:
    """A request that can be repeated."""

    method: str
    path: str
    """With the query."""
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def settings_of(
    *,
    url: str,
    key: str,
    retries: int,
    timeout: float,
    wait_for_reset: bool | float,
    on_budget: Callable[[Budget], None] | None,
    cache: bool,
    allow_http: bool,
) -> Settings:
    """Raises a ValueError for an option that cannot be used."""
    if wait_for_reset is True:
        wait_for_reset = DAY_SECONDS
    return Settings(
        base=_base_of(url, allow_http),
        key=_checked_key(key),
        retries=retries,
        timeout=timeout,
        wait_seconds_max=float(wait_for_reset),
        on_budget=on_budget,
        cache=AnswerCache() if cache else None,
    )


def _base_of(url: str, allow_http: bool) -> str:
    """Without a trailing slash and without the path of an API."""
    if not url:
        raise ValueError(
            "`url` is missing; set the server address, such as https://brickmark.example.com"
        )
    parts = urlsplit(str(url))
    if parts.scheme not in ("https", "http"):
        raise ValueError(f"The url must start with https:// or http://, not {parts.scheme}://.")
    if parts.username is not None or parts.password is not None:
        raise ValueError("The url must not contain a user name or password.")
    host = parts.hostname or ""
    is_loopback = re.fullmatch(r"localhost|.+\.localhost|127\.[\d.]+|::1", host) is not None
    if parts.scheme == "http" and not is_loopback and not allow_http:
        raise ValueError(
            f"Others on the network to {host} can read the key. Use https:, or set allow_http."
        )
    path = re.sub(r"(/api/(plus/)?v1)?/*$", "", parts.path)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _checked_key(key: str) -> str:
    """Raises if the key cannot be sent; the error must not contain it."""
    if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]+", key):
        return key
    raise ValueError("The key must be a string such as bmk_…, without spaces or line breaks.")


# --- Requests


def path_of(template: str, *values: str | int) -> str:
    """A path with its parameters in place of `{}`."""
    return template.format(*(_segment(value) for value in values))


def _segment(value: str | int) -> str:
    # Addresses take these for folders, however they are written.
    if value in (".", ".."):
        raise ValueError(f"'{value}' is not a valid number.")
    return quote(str(value), safe="")


def query_text(query: Mapping[str, object]) -> str:
    """Omits parameters that are None."""
    given = [(name, _text_of(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(given)}" if given else ""


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_text_of(each) for each in value)
    return str(value)


def instant_text(value: datetime) -> str:
    """Raises for a time without a time zone, which could mean any."""
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone, such as that of datetime.now(timezone.utc).")
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def body_text(body: Mapping[str, object]) -> bytes:
    """Omits fields that are None."""
    given = {name: value for name, value in body.items() if value is not None}
    return json.dumps(given, default=_plain, ensure_ascii=False, allow_nan=False).encode()


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be sent.")


def request_of(
    http: httpx.Client | httpx.AsyncClient,
    settings: Settings,
    request: Request,
    timeout: httpx.Timeout,
) -> httpx.Request:
    headers = {**request.headers, "Authorization": f"Bearer {settings.key}"}
    content = None if request.body is None else body_text(request.body)
    if content is not None:
        headers["Content-Type"] = "application/json"
    url = f"{settings.base}{request.path}"
    return http.build_request(
        request.method, url, headers=headers, content=content, timeout=timeout
    )


# --- Responses


def budget_of(response: httpx.Response) -> Budget | None:
    limit, remaining, reset = (
        response.headers.get(f"X-RateLimit-{name}") for name in ("Limit", "Remaining", "Reset")
    )
    if limit is None or remaining is None or reset is None:
        return None
    return Budget(int(limit), int(remaining), reset)


def data_of(response: httpx.Response, content: bytes) -> Any:
    answer = _parsed(content)
    if not isinstance(answer, dict) or "data" not in answer:
        raise _unexpected(response, None)
    return answer["data"]


def error_of(response: httpx.Response, budget: Budget | None) -> BrickmarkError:
    answer = _parsed(response.content)
    error = answer.get("error") if isinstance(answer, dict) else None
    retry_after = _retry_seconds(response.headers.get("Retry-After"))
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return _unexpected(response, retry_after)
    return BrickmarkError(
        str(error.get("message")),
        code=error["code"],
        status=response.status_code,
        request_id=response.headers.get("X-Request-Id"),
        retry_after=retry_after,
        budget=budget,
    )


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _retry_seconds(text: str | None) -> float | None:
    """`Retry-After` in seconds; proxies may send a date."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return max(0.0, ceil(at.timestamp() - datetime.now(timezone.utc).timestamp()))


def _unexpected(response: httpx.Response, retry_after: float | None) -> BrickmarkError:
    return BrickmarkError(
        _unexpected_message(response.status_code),
        code="UnexpectedResponse",
        status=response.status_code,
        request_id=response.headers.get("X-Request-Id"),
        retry_after=retry_after,
    )


def _unexpected_message(status: int) -> str:
    if 300 <= status < 400:
        return "The server redirects to another address; use that address as the url."
    if status == 429:
        return "A proxy in front of the server limits requests (status 429); try again later."
    return f"The response (status {status}) is not from Brickmark; check the url."


def network_error(base: str, error: httpx.RequestError) -> NetworkError:
    if isinstance(error, httpx.TimeoutException):
        return NetworkError(f"{base} did not respond in time.", is_timeout=True)
    return NetworkError(f"No response from {base}: {error or type(error).__name__}")


def other_page() -> BrickmarkError:
    """The response is not the requested page, for example from a cache that ignores queries:
    paging would not end."""
    return BrickmarkError(
        "The answer is not the page that was asked for; check the url, and proxies on the way.",
        code="UnexpectedResponse",
        status=200,
    )


# --- Retries


def retry_of(error: BrickmarkError | NetworkError) -> Literal["after", "backoff", "never"]:
    """`after`: it was refused for now, and nothing was done or charged."""
    if isinstance(error, NetworkError):
        return "backoff"
    if error.status in RETRY_RULES:
        return RETRY_RULES[error.status]
    # Other statuses from 500 on are those of proxies that have lost the server.
    return "backoff" if error.status >= 500 else "never"


def pause_seconds(failures: int, bounds: tuple[float, float]) -> float:
    """Exponential backoff with jitter."""
    least, most = bounds
    # Beyond this number, the power is over the maximum in any case.
    seconds = min(least * 2.0 ** min(failures, 30), most)
    return seconds * (0.5 + random.random() / 2)


class Attempts:
    """Decides, after each failed attempt of a call, how long to wait before the next one."""

    def __init__(self, settings: Settings, *, may_repeat: bool = True) -> None:
        self._settings = settings
        # A change that must not be made twice is sent again only if it was refused.
        self._retries = settings.retries if may_repeat else 0
        self._failures = 0
        self._seconds_waited = 0.0

    def pause_after(self, error: BrickmarkError | NetworkError) -> float | None:
        """None if another attempt would not help."""
        seconds = _seconds_to_wait(error)
        can_wait = self._seconds_waited + seconds <= self._settings.wait_seconds_max
        if retry_of(error) == "after":
            if not can_wait:
                return None
        else:
            if self._failures >= self._retries or not _may_repeat(error):
                return None
            self._failures += 1
        if not can_wait:
            return pause_seconds(self._failures - 1, CALL_PAUSES)
        self._seconds_waited += seconds
        return seconds


def _seconds_to_wait(error: BrickmarkError | NetworkError) -> float:
    """By `Retry-After`; infinite if the server does not say."""
    after = error.retry_after if isinstance(error, BrickmarkError) else None
    return inf if after is None else max(1.0, after)


def _may_repeat(error: BrickmarkError | NetworkError) -> bool:
    # After a timeout, the server may still be working, and charge each attempt.
    is_timeout = isinstance(error, NetworkError) and error.is_timeout
    return retry_of(error) == "backoff" and not is_timeout


# --- Batches


def batch_pieces(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of a batch that fit in a call. Elements are in the requested order and unique by
    the server's rules: the same item in two calls would be charged twice."""
    lists = {name: key_of for name, key_of in _LIST_KEYS.items() if body.get(name) is not None}
    elements = [
        (name, element)
        for name, key_of in lists.items()
        for element in _unique(body[name], key_of)
    ]
    # The server refuses an empty batch.
    starts = range(0, max(1, len(elements)), BATCH_ITEMS_MAX)
    pieces = [elements[start : start + BATCH_ITEMS_MAX] for start in starts]
    return [
        {**body, **{name: [each for of, each in piece if of == name] for name in lists}}
        for piece in pieces
    ]


def joined_batches(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Every response has lists, and a summary of counts."""
    joined: dict[str, Any] = {}
    for name, part in answers[0].items():
        parts = [answer[name] for answer in answers]
        if isinstance(part, list):
            joined[name] = [each for some in parts for each in some]
        else:
            joined[name] = {count: sum(each[count] for each in parts) for count in part}
    return joined


def _unique(elements: Iterable[Any], key_of: Callable[[Any], object]) -> list[Any]:
    unique: dict[object, Any] = {}
    for element in elements:
        unique.setdefault(key_of(element), element)
    return list(unique.values())


def _number_key(number: str) -> str:
    return str(number).strip().lower()


def _set_key(number: str) -> str:
    """`75192` and `75192-1` are one set; `A-1-1` is not `A-1`."""
    key = _number_key(number)
    bare = key.removesuffix("-1") if key.endswith("-1") else ""
    return key if bare == "" or re.search(r"-[1-9][0-9]?$", bare) else bare


def _item_key(item: Mapping[str, Any]) -> object:
    """An item in two conditions or grades counts as two."""
    is_set = item.get("set") is not None
    number = _set_key(item["set"]) if is_set else _number_key(item.get("minifig", ""))
    condition = item.get("condition") or ("sealed" if is_set else "used")
    return is_set, number, condition, item.get("grade")


_LIST_KEYS: dict[str, Callable[[Any], object]] = {
    "sets": _set_key,
    "minifigs": _number_key,
    "items": _item_key,
}
"""The lists of a batch, and what makes their elements unique by the server's rules."""
