"""Follows the event stream without missing any event.

After a crash, a lost connection or a restart of the server it continues where it stopped. Needs
Python 3.9 or later and no packages. The optional last argument filters the events:

    BRICKMARK_URL=https://brickmark.example.com BRICKMARK_KEY=bmk_... \\
      python3 follow.py events.db 'kinds=retail.price,retail.low&scope=holdings'
"""

import http.client
import os
import random
import sqlite3
import sys
import time
import urllib.error
import urllib.request

PATH = sys.argv[1] if len(sys.argv) > 1 else "events.db"
FILTER = sys.argv[2] if len(sys.argv) > 2 else ""
SERVER = os.environ.get("BRICKMARK_URL", "http://127.0.0.1:8080").rstrip("/")
ADDRESS = f"{SERVER}/api/plus/v1/events/stream?{FILTER}"
AUTHORIZATION = "Bearer " + os.environ.get("BRICKMARK_KEY", "")

# The server writes at least every 15 seconds, so a longer silence is a lost connection.
SILENCE_SECONDS_MAX = 45
PAUSE_SECONDS_MAX = 60

db = sqlite3.connect(PATH)
with db:
    db.execute("CREATE TABLE IF NOT EXISTS event (position INTEGER PRIMARY KEY, event TEXT)")
    db.execute("CREATE TABLE IF NOT EXISTS follower (one INTEGER PRIMARY KEY, position INTEGER)")


def read_position():
    """The stored position; None if nothing was read yet."""
    row = db.execute("SELECT position FROM follower").fetchone()
    return row and row[0]


def keep(position, event):
    """Stores an event together with its position, so that there is never one without the other."""
    with db:
        if event is not None:
            db.execute("INSERT INTO event VALUES (?, ?)", (position, event))
        db.execute("INSERT OR REPLACE INTO follower VALUES (1, ?)", (position,))


def messages_of(stream):
    """The messages of a stream. Each is a few lines of fields, followed by an empty line."""
    fields = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name or value:
            fields[name] = value
        else:
            yield fields
            fields = {}


def connect():
    """Opens the stream at the stored position; exits if a retry would not help."""
    headers = {"Authorization": AUTHORIZATION}
    position = read_position()
    # Without it, the stream starts now.
    if position is not None:
        headers["Last-Event-ID"] = str(position)
    request = urllib.request.Request(ADDRESS, headers=headers)
    try:
        return urllib.request.urlopen(request, timeout=SILENCE_SECONDS_MAX)
    except urllib.error.HTTPError as error:
        problem = f"{error.code} {error.read().decode()[:300]}"
        # An invalid key or filter stays invalid. Rate limits and server errors are retried.
        if error.code < 500 and error.code != 429:
            sys.exit(problem)
        time.sleep(int(error.headers.get("Retry-After", 0)))
        raise OSError(problem) from error


def follow():
    """Reads one connection to its end."""
    global failures
    with connect() as stream:
        for message in messages_of(stream):
            failures = 0
            event, data = message.get("event"), message.get("data")
            if event == "stale":
                print(f"Events before this position are gone: {data}", file=sys.stderr)
            if event == "error":
                print(data, file=sys.stderr)
            if "id" in message:
                keep(int(message["id"]), None if event in ("position", "stale") else data)


failures = 0
print(f"Following {ADDRESS}", flush=True)
while True:
    try:
        follow()
    except (OSError, http.client.HTTPException) as problem:
        print(problem, file=sys.stderr)
    # Random delay, so that clients do not all reconnect at once.
    time.sleep(min(2**failures, PAUSE_SECONDS_MAX) * random.uniform(0.5, 1))
    failures += 1
