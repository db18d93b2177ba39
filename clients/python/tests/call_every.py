"""Makes calls given as JSON on standard input, with both clients; prints what they return.

A call has the `name` of its method, whether it is of the Plus API (`is_plus`), its `kind` (null,
"stream" or "file"), and its arguments: `args` and `kwargs`. `{"id_of": name}` stands for the ID in
the answer of an earlier call.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from brickmark import AsyncBrickmark, Brickmark

URL, KEY = os.environ["BRICKMARK_URL"], os.environ["BRICKMARK_KEY"]


Answers = dict[str, Any]


def args_of(each: Any, answers: Answers) -> list[Any]:
    return [answers[arg["id_of"]]["id"] if isinstance(arg, dict) else arg for arg in each["args"]]


def call(client: Brickmark, each: Any, answers: Answers) -> Any:
    methods = client.plus if each["is_plus"] else client
    answer = getattr(methods, each["name"])(*args_of(each, answers), **each["kwargs"])
    if each["kind"] == "stream":
        return next(answer._connect())
    return list(answer) if each["kind"] == "file" else answer


async def call_async(client: AsyncBrickmark, each: Any, answers: Answers) -> Any:
    methods = client.plus if each["is_plus"] else client
    answer = getattr(methods, each["name"])(*args_of(each, answers), **each["kwargs"])
    if each["kind"] == "stream":
        return await anext(answer._connect())
    return [document async for document in answer] if each["kind"] == "file" else await answer


async def call_all(calls: list[Any]) -> Answers:
    answers: Answers = {}
    async with AsyncBrickmark(URL, KEY) as client:
        for each in calls:
            answers[each["name"]] = await call_async(client, each, answers)
    return answers


calls = json.load(sys.stdin)
answers: Answers = {}
with Brickmark(URL, KEY) as client:
    for each in calls:
        answers[each["name"]] = call(client, each, answers)
print(json.dumps([answers, asyncio.run(call_all(calls))]))
