"""Prints what you hold and what it is worth."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["BRICKMARK_URL"] + "/api/v1"
KEY = os.environ["BRICKMARK_KEY"]


def get(path, **query):
    request = urllib.request.Request(
        f"{URL}{path}?{urllib.parse.urlencode(query)}",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        problem = json.load(error)["error"]
        raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
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
