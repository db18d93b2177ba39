"""The rules of the client: addresses, keys, errors, retries, waiting, paging, batches, streams.

Run with `python3 -m unittest` where `brickmark` is installed.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import traceback
import unittest
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any
from unittest.mock import patch

import httpx

from brickmark import AsyncBrickmark, Brickmark, BrickmarkError, Budget, NetworkError
from brickmark.types import RETRY_RULES

KEY = "bmk_" + "0a" * 24
RATES = {
    "X-RateLimit-Limit": "1000",
    "X-RateLimit-Remaining": "958",
    "X-RateLimit-Reset": "2026-11-16T00:00:00.000Z",
}

Step = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def data(value: object, **headers: str) -> httpx.Response:
    return httpx.Response(200, json={"data": value, "meta": {}}, headers={**RATES, **headers})


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"error": {"code": code, "message": f"It is {code}."}}
    return httpx.Response(status, json=body, headers={"X-Request-Id": "r-1", **headers})


class Server:
    """Answers with one step after the other, and records requests."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.sent: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, httpx.Response) else step(request)

    @property
    def paths(self) -> list[str]:
        return [request.url.raw_path.decode() for request in self.sent]

    def client(self, **options: Any) -> Brickmark:
        http = httpx.Client(transport=httpx.MockTransport(self.answer), follow_redirects=True)
        settings: dict[str, Any] = {"url": "https://brickmark.example.com", "key": KEY, **options}
        return Brickmark(http_client=http, **settings)

    def async_client(self, **options: Any) -> AsyncBrickmark:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        settings: dict[str, Any] = {"url": "https://brickmark.example.com", "key": KEY, **options}
        return AsyncBrickmark(http_client=http, **settings)


class Case(unittest.TestCase):
    """Time passes at once."""

    def setUp(self) -> None:
        self.pauses: list[float] = []
        self.addCleanup(patch.stopall)
        patch("time.sleep", self.pauses.append).start()
        patch("random.random", lambda: 1.0).start()

    def fault_of(self, call: Callable[[], object]) -> Any:
        with self.assertRaises((BrickmarkError, NetworkError)) as caught:
            call()
        return caught.exception


class Addresses(Case):
    def test_the_address_can_be_that_of_an_api(self) -> None:
        for url, expected in [
            ("https://b.example.com", "https://b.example.com/api/v1/set/75192"),
            ("https://b.example.com/api/v1", "https://b.example.com/api/v1/set/75192"),
            ("https://b.example.com/x/api/plus/v1/", "https://b.example.com/x/api/v1/set/75192"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/api/v1/set/75192"),
            ("http://[::1]:8080", "http://[::1]:8080/api/v1/set/75192"),
        ]:
            server = Server(data(None))
            server.client(url=url).get_set("75192")
            self.assertEqual(str(server.sent[0].url), expected)

    def test_numbers_and_queries_are_encoded_and_none_is_omitted(self) -> None:
        server = Server(*[data({}) for _ in range(4)])
        client = server.client()
        client.get_set("a/b?c")
        client.search_sets(q="a&b", limit=None)
        since = datetime(2026, 11, 15, 13, tzinfo=timezone(timedelta(hours=1)))
        client.list_retail_watch(since=since, asin=["A", "B"])
        client.list_sales()
        self.assertEqual(
            server.paths,
            [
                "/api/v1/set/a%2Fb%3Fc",
                "/api/v1/catalog/sets/search?q=a%26b",
                "/api/v1/brickfolio/retail-watch?since=2026-11-15T12%3A00%3A00.000Z&asin=A%2CB",
                "/api/v1/salesledger",
            ],
        )
        with self.assertRaisesRegex(ValueError, "time zone"):
            client.list_retail_watch(since=datetime(2026, 11, 15))
        for number in (".", ".."):
            with self.assertRaises(ValueError):
                client.get_set(number)

    def test_http_is_for_this_machine_only_unless_allowed(self) -> None:
        for url, words in [
            ("http://b.example.com", "allow_http"),
            ("http://localhost.example.com", "allow_http"),
            ("http://127.example.com", "allow_http"),
            ("file:///etc/passwd", "https://"),
            ("https://name:word@b.example.com", "password"),
            ("", "`url` is missing"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                Brickmark(url, KEY)
        Brickmark("http://b.example.com", KEY, allow_http=True).close()


class Keys(Case):
    def test_the_key_is_sent_to_no_other_address(self) -> None:
        server = Server(httpx.Response(302, headers={"Location": "https://x.example.com"}))
        error = self.fault_of(lambda: server.client().get_set("75192"))
        self.assertEqual((error.code, error.status), ("UnexpectedResponse", 302))
        self.assertIn("redirects", str(error))
        self.assertEqual(len(server.sent), 1)
        self.assertEqual(server.sent[0].headers["Authorization"], f"Bearer {KEY}")

    def test_the_key_never_appears_in_errors(self) -> None:
        server = Server(httpx.ConnectError("refused"), refusal(401, "InvalidApiKey"))
        client = server.client(retries=0)
        for _ in range(2):
            error = self.fault_of(lambda: client.get_set("75192"))
            text = "".join(traceback.format_exception(error)) + repr(vars(error))
            self.assertNotIn(KEY, text + repr(client) + repr(client._transport.settings))
        for bad in ("", f"{KEY}\n", f"{KEY} x", "€"):
            with self.assertRaisesRegex(ValueError, "^The key must be a string"):
                server.client(key=bad)


class Retries(Case):
    def test_a_fault_or_a_lost_connection_is_retried_twice(self) -> None:
        lost = httpx.RemoteProtocolError("closed")
        server = Server(refusal(500, "InternalError"), lost, data({"set_number": "75192"}))
        self.assertEqual(server.client().get_set("75192")["set_number"], "75192")
        self.assertEqual(self.pauses, [0.25, 0.5])
        server = Server(*[httpx.Response(502, text="Bad gateway") for _ in range(3)])
        error = self.fault_of(lambda: server.client().get_set("75192"))
        self.assertEqual((error.code, error.status), ("UnexpectedResponse", 502))

    def test_other_errors_and_timeouts_are_not_retried(self) -> None:
        missing = Server(refusal(404, "NotFound"))
        self.assertEqual(self.fault_of(lambda: missing.client().get_set("1")).code, "NotFound")
        late = Server(httpx.ReadTimeout("late"))
        self.assertTrue(self.fault_of(lambda: late.client().get_set("1")).is_timeout)
        self.assertEqual((len(missing.sent), len(late.sent), self.pauses), (1, 1, []))

    def test_each_error_is_retried_as_the_contract_says(self) -> None:
        for status in (400, 401, 403, 404, 405, 409, 429, 500):
            self.pauses.clear()
            fault = refusal(status, "Conflict", **{"Retry-After": "7"})
            server = Server(fault, data({}))
            expected: list[float] = [7.0] if status in RETRY_RULES else []
            if expected:
                server.client().get_set("1")
            else:
                self.assertEqual(self.fault_of(lambda: server.client().get_set("1")).status, status)
            self.assertEqual(self.pauses, expected)

    def test_changes_are_retried_if_they_can_be_made_again(self) -> None:
        fault = refusal(500, "InternalError")
        server = Server(fault, data({"deleted": True}))
        self.assertEqual(server.client().plus.delete_watchlist(7), {"deleted": True})
        self.assertEqual([sent.method for sent in server.sent], ["DELETE", "DELETE"])
        once = Server(refusal(500, "InternalError"), data({}))
        self.fault_of(lambda: once.client().plus.test_webhook(7))
        lost = Server(httpx.RemoteProtocolError("closed"), data({}))
        self.fault_of(lambda: lost.client().plus.rotate_webhook_secret(7))
        self.assertEqual((len(once.sent), len(lost.sent)), (1, 1))

    def test_a_proxys_rate_limit_is_reported_and_waited_for(self) -> None:
        past = "Sun, 15 Nov 2020 11:00:00 GMT"
        for until, seconds, pauses in [("90", 90, [90]), (past, 0, [1]), ("soon", None, [])]:
            limited = [
                httpx.Response(429, text="Slow.", headers={"Retry-After": until}) for _ in range(2)
            ]
            hasty = Server(limited[0]).client(wait_for_reset=False)
            error = self.fault_of(hasty.list_themes)
            self.assertEqual((error.code, error.retry_after), ("UnexpectedResponse", seconds))
            self.assertIn("limits requests", str(error))
            self.pauses.clear()
            waiting = Server(limited[1], data({})).client(wait_for_reset=90)
            if pauses:
                waiting.list_themes()
            else:
                self.fault_of(waiting.list_themes)
            self.assertEqual(self.pauses, pauses)

    def test_other_answers_are_unexpected(self) -> None:
        for response in (httpx.Response(200, text="<html>"), httpx.Response(200, json=[1])):
            error = self.fault_of(lambda: Server(response).client().get_set("75192"))
            self.assertEqual((error.code, error.status), ("UnexpectedResponse", 200))


def refused(seconds: int, code: str = "QuotaExceeded") -> httpx.Response:
    return refusal(429, code, **{"Retry-After": str(seconds), **RATES})


def too_fast(seconds: int) -> httpx.Response:
    return refused(seconds, "TooManyRequests")


class Waiting(Case):
    """The same rules for both clients."""

    def setUp(self) -> None:
        super().setUp()

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)

        patch("anyio.sleep", sleep).start()

    def outcomes(
        self, *steps: Callable[[], Step], **options: Any
    ) -> Iterator[tuple[Server, Any, list[float]]]:
        """What a call of each client returns or raises, after which pauses."""

        def call(server: Server) -> object:
            return server.client(**options).plus.get_retail_history("75192")

        def call_async(server: Server) -> object:
            client = server.async_client(**options)
            return asyncio.run(client.plus.get_retail_history("75192"))

        for run in (call, call_async):
            self.pauses.clear()
            server = Server(*[step() for step in steps])
            try:
                outcome = run(server)
            except BrickmarkError as error:
                outcome = error
            yield server, outcome, list(self.pauses)

    def test_a_refused_call_is_sent_again_after_a_minute_or_less_in_total(self) -> None:
        steps = (lambda: too_fast(1), lambda: too_fast(1), lambda: refused(58), lambda: data("x"))
        for _, outcome, pauses in self.outcomes(*steps):
            self.assertEqual((outcome, pauses), ("x", [1, 1, 58]))
        for _, error, pauses in self.outcomes(lambda: too_fast(50), lambda: too_fast(11)):
            self.assertEqual((error.code, error.retry_after), ("TooManyRequests", 11))
            self.assertEqual(pauses, [50])

    def test_it_is_an_error_with_the_seconds_to_wait_if_that_is_more(self) -> None:
        for seconds in (61, 43_200):
            for server, error, pauses in self.outcomes(lambda: refused(seconds)):
                self.assertEqual((error.code, error.retry_after), ("QuotaExceeded", seconds))
                self.assertEqual(error.budget, Budget(1000, 958, RATES["X-RateLimit-Reset"]))
                self.assertEqual((str(error), error.request_id), ("It is QuotaExceeded.", "r-1"))
                self.assertEqual((len(server.sent), pauses), (1, []))

    def test_it_is_sent_again_after_up_to_a_day_or_not_at_all_if_requested(self) -> None:
        steps = (lambda: refused(43_200), lambda: data("x"))
        for _, outcome, pauses in self.outcomes(*steps, wait_for_reset=True):
            self.assertEqual((outcome, pauses), ("x", [43_200]))
        for _, error, pauses in self.outcomes(*[lambda: refused(50)] * 2, wait_for_reset=90):
            self.assertEqual((error.code, pauses), ("QuotaExceeded", [50]))
        for wait_for_reset in (False, 0):
            never = self.outcomes(lambda: too_fast(1), wait_for_reset=wait_for_reset)
            for _, error, pauses in never:
                self.assertEqual((error.code, pauses), ("TooManyRequests", []))

    def test_it_does_not_count_as_a_retry_and_needs_none(self) -> None:
        def fail() -> Step:
            return refusal(500, "InternalError")

        steps = (fail, lambda: too_fast(1), fail, lambda: too_fast(1), lambda: data("x"))
        for _, outcome, pauses in self.outcomes(*steps):
            self.assertEqual((outcome, pauses), ("x", [0.25, 1, 0.5, 1]))
        once = Server(too_fast(2), data({})).client(retries=0)
        self.pauses.clear()
        once.plus.test_webhook(7)
        self.assertEqual(self.pauses, [2])

    def test_a_failure_is_retried_when_the_server_says_and_no_more_often(self) -> None:
        def busy() -> Step:
            return refusal(500, "InternalError", **{"Retry-After": "5"})

        def late() -> Step:
            return refusal(500, "InternalError", **{"Retry-After": "61"})

        for _, error, pauses in self.outcomes(busy, busy, busy):
            self.assertEqual((error.status, error.retry_after, pauses), (500, 5, [5, 5]))
        for _, outcome, pauses in self.outcomes(late, lambda: data("x")):
            self.assertEqual((outcome, pauses), ("x", [0.25]))
        once = Server(busy(), data({}))
        self.fault_of(lambda: once.client().plus.test_webhook(7))
        self.assertEqual(len(once.sent), 1)


class Canceling(unittest.TestCase):
    def test_a_canceled_or_late_task_stops_waiting(self) -> None:
        async def run() -> None:
            server = Server(too_fast(60), too_fast(60))
            async with server.async_client() as client:
                task = asyncio.create_task(client.get_set("75192"))
                while not server.sent:
                    await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                with self.assertRaises(TimeoutError):
                    await asyncio.wait_for(client.get_set("75192"), 0.01)
            self.assertEqual(len(server.sent), 2)

        asyncio.run(run())


class Lists(Case):
    def page(self, offset: int, numbers: list[int], has_more: bool) -> httpx.Response:
        pagination = {"total": 3, "limit": 250, "offset": offset, "has_more": has_more}
        return data({"sales": [{"id": number} for number in numbers], "pagination": pagination})

    def test_pages_are_read_as_needed(self) -> None:
        server = Server(self.page(0, [1, 2], True), self.page(2, [3], False))
        sales = iter(server.client().all.list_sales())
        self.assertEqual(next(sales)["id"], 1)
        self.assertEqual(len(server.sent), 1)
        self.assertEqual([sale["id"] for sale in sales], [2, 3])
        base = "/api/v1/salesledger?limit=250&offset="
        self.assertEqual(server.paths, [f"{base}0", f"{base}2"])

    def test_another_page_than_requested_is_an_error(self) -> None:
        server = Server(self.page(0, [1], True), self.page(0, [1], True))
        error = self.fault_of(server.client().all.list_sales().to_list)
        self.assertEqual(error.code, "UnexpectedResponse")

    def test_positions(self) -> None:
        pages = [{"events": [{"position": 5}], "next": 5, "has_more": True}]
        pages += [{"events": [], "next": 5, "has_more": False}]
        server = Server(*map(data, pages))
        events = server.client().plus.all.list_events(after=0).to_list()
        self.assertEqual([event["position"] for event in events], [5])
        self.assertEqual(server.paths[1], "/api/plus/v1/events?after=5&limit=250")


    def test_cursors(self) -> None:
        pages = [{"sets": [{"set_number": "1"}], "next": "c1"}, {"sets": [], "next": None}]
        server = Server(*map(data, pages))
        sets = server.client().plus.all.list_sets(theme="Castle").to_list()
        self.assertEqual([each["set_number"] for each in sets], ["1"])
        self.assertNotIn("after", server.paths[0])
        self.assertIn("after=c1", server.paths[1])


class Batches(Case):
    def test_any_number_of_items_in_calls_of_100_without_duplicates(self) -> None:
        def answer(request: httpx.Request) -> httpx.Response:
            asked = json.loads(request.content)
            found = {kind: [{"n": number} for number in asked[kind]] for kind in asked}
            count = sum(map(len, asked.values()))
            return data({**found, "summary": {"requested": count, "found": count}})

        server = Server(answer, answer)
        sets = [str(number) for number in range(120)]
        batch: Any = server.client().get_batch(sets=[*sets, "7-1", " 8 "], minifigs=["a", "A"])
        self.assertEqual([each["n"] for each in batch["sets"]], sets)
        self.assertEqual([each["n"] for each in batch["minifigs"]], ["a"])
        self.assertEqual(batch["summary"], {"requested": 121, "found": 121})

    def test_batches_of_the_plus_api_with_their_other_fields(self) -> None:
        bodies: list[dict[str, Any]] = []

        def answer(request: httpx.Request) -> httpx.Response:
            bodies.append(json.loads(request.content))
            items = bodies[-1]["items"]
            return data({"items": items, "summary": {"requested": len(items), "found": 1}})

        items: Any = [{"set": str(number)} for number in range(120)]
        forms: Any = [{"set": "1-1", "condition": "sealed"}, {"set": "1", "condition": "used"}]
        client = Server(answer, answer).client()
        batch: Any = client.plus.get_max_buy_batch(items=[*items, *forms], share=0.9)
        self.assertEqual(batch["items"], [*items, forms[1]])
        self.assertEqual(batch["summary"], {"requested": 121, "found": 2})
        shown = [(len(body["items"]), body["share"]) for body in bodies]
        self.assertEqual(shown, [(100, 0.9), (21, 0.9)])


class Cache(Case):
    def test_an_unchanged_response_comes_from_memory(self) -> None:
        server = Server(data([1], ETag='"a"'), httpx.Response(304, headers=RATES), data([2]))
        client = server.client(cache=True)
        answers = [client.list_themes() for _ in range(3)]
        self.assertEqual(answers, [[1], [1], [2]])
        tags = [request.headers.get("If-None-Match") for request in server.sent]
        self.assertEqual(tags, [None, '"a"', '"a"'])


def event(position: int) -> str:
    return f'id: {position}\nevent: retail.price\ndata: {{"position":{position},"t":"\u2028"}}\n\n'


class Streams(Case):
    greeting = "retry: 3000\n\nid: 1\nevent: position\ndata: {}\n\n"

    def stream(self, *texts: str) -> tuple[Server, Any]:
        server = Server(*[httpx.Response(200, text=text, headers=RATES) for text in texts])
        return server, server.client().plus.stream_events(kinds=["retail.price"])

    def test_it_resumes_after_the_last_event(self) -> None:
        server, stream = self.stream(self.greeting + event(2), ": heartbeat\n\n" + event(3))
        events = iter(stream)
        self.assertEqual([next(events)["position"] for _ in range(2)], [2, 3])
        self.assertEqual(stream.position, 3)
        ids = [request.headers.get("Last-Event-ID") for request in server.sent]
        self.assertEqual(ids, [None, "2"])
        self.assertEqual(server.paths[0], "/api/plus/v1/events/stream?kinds=retail.price")

    def test_deleted_events_are_an_error_unless_handled(self) -> None:
        stale = 'id: 7\nevent: stale\ndata: {"oldest":7}\n\n' + event(8)
        _, stream = self.stream(self.greeting + stale)
        self.assertIn("on_stale", str(self.fault_of(lambda: next(iter(stream)))))
        seen: list[int] = []
        server = Server(httpx.Response(200, text=self.greeting + stale))
        events = iter(server.client().plus.stream_events(on_stale=seen.append))
        self.assertEqual((next(events)["position"], seen), (8, [7]))


class BulkFiles(Case):
    lines = gzip.compress(b'{"a":"\xc3\xa9"}\n') + gzip.compress(b'{"a":2}\n')

    def test_documents_and_bytes(self) -> None:
        server = Server(*[httpx.Response(200, content=self.lines) for _ in range(2)])
        file: Any = server.client().plus.get_bulk_file("sets")
        self.assertEqual(list(file), [{"a": "é"}, {"a": 2}])
        self.assertEqual(b"".join(file.iter_bytes()), self.lines)

    def test_only_json_lines_have_documents(self) -> None:
        with self.assertRaisesRegex(ValueError, "iter_bytes"):
            list(Server().client().plus.get_bulk_file("sets", format="parquet"))

    def test_a_file_that_ends_early_is_an_error(self) -> None:
        server = Server(httpx.Response(200, content=self.lines[:-9]))
        error = self.fault_of(lambda: list(server.client().plus.get_bulk_file("sets")))
        self.assertIsInstance(error, NetworkError)


class Async(unittest.TestCase):
    def test_calls_lists_streams_and_files(self) -> None:
        async def run() -> None:
            pages = {"total": 1, "limit": 250, "offset": 0, "has_more": False}
            server = Server(
                refusal(500, "InternalError"),
                data({"set_number": "75192"}),
                data({"sales": [{"id": 1}], "pagination": pages}),
                httpx.Response(200, text=Streams.greeting + event(2)),
                httpx.Response(200, content=BulkFiles.lines),
                refusal(404, "NotFound"),
            )
            async with server.async_client() as client:
                self.assertEqual((await client.get_set("75192"))["set_number"], "75192")
                self.assertEqual(await client.all.list_sales().to_list(), [{"id": 1}])
                async for each in client.plus.stream_events():
                    self.assertEqual(each["position"], 2)
                    break
                documents: Any = client.plus.get_bulk_file("sets")
                self.assertEqual(len([each async for each in documents]), 2)
                with self.assertRaises(BrickmarkError):
                    await client.get_set("404")
                self.assertEqual(client.budget, Budget(1000, 958, RATES["X-RateLimit-Reset"]))

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
