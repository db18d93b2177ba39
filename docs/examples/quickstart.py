"""Prints what you hold and what it is worth."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["BRICKMARK_URL"].rstrip("/") + "/api/v1"
KEY = os.environ["BRICKMARK_KEY"]


def get(path, **query):
    request = urllib.request.Request(
        f"{URL}{path}?{urllib.parse.urlencode(query)}",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        try:
            answer = json.load(response)
        except ValueError:
            raise SystemExit(f"{response.status}: not a response from Brickmark") from None
    if "error" in answer:
        problem = answer["error"]
        raise SystemExit(f"{response.status} {problem['code']}: {problem['message']}")
    return answer["data"], answer["meta"]["rate_limit"]["remaining"]


offset = 0
while True:
    page, remaining = get("/brickfolio/entries", limit=250, offset=offset)
    for entry in page["entries"]:
        value, gain = entry["total_current_value_usd"], entry["unrealized_gain_loss_pct"]
        print(f"{entry['quantity']} x {entry['title']}: ${value:.2f} ({gain:.2f}%)")
    offset += 250
    if not page["pagination"]["has_more"]:
        break

print(f"{page['pagination']['total']} holdings. {remaining} calls remain today.")
