"""Makes calls given as JSON on standard input, with both clients; prints what they return.

A call has the `name` of its method, whether it is of the Plus API (`is_plus`), its `kind` (null,
"stream" or "file"), and its arguments: `args` and `kwargs`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from brickmark import AsyncBrickmark, Brickmark

URL, KEY = os.environ["BRICKMARK_URL"], os.environ["BRICKMARK_KEY"]


def call(client: Brickmark, each: Any) -> Any:
    methods = client.plus if each["is_plus"] else client
    answer = getattr(methods, each["name"])(*each["args"], **each["kwargs"])
    if each["kind"] == "stream":
        return next(answer._connect())
    return list(answer) if each["kind"] == "file" else answer


async def call_async(client: AsyncBrickmark, each: Any) -> Any:
    methods = client.plus if each["is_plus"] else client
    answer = getattr(methods, each["name"])(*each["args"], **each["kwargs"])
    if each["kind"] == "stream":
        return await anext(answer._connect())
    return [document async for document in answer] if each["kind"] == "file" else await answer


async def call_all(calls: list[Any]) -> dict[str, Any]:
    async with AsyncBrickmark(URL, KEY) as client:
        return {each["name"]: await call_async(client, each) for each in calls}


calls = json.load(sys.stdin)
with Brickmark(URL, KEY) as client:
    answers = {each["name"]: call(client, each) for each in calls}
print(json.dumps([answers, asyncio.run(call_all(calls))]))
