"""Receives webhooks from Brickmark: verifies each message, stores it once, and responds.

Needs Python 3.9 or later and no packages:

    BRICKMARK_WEBHOOK_SECRET=whsec_... python3 receiver.py 8787 inbox.db
"""

import base64
import hmac
import os
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 8787
INBOX = sys.argv[2] if len(sys.argv) > 2 else "inbox.db"
SECRET = base64.b64decode(os.environ.get("BRICKMARK_WEBHOOK_SECRET", "").replace("whsec_", "", 1))
if len(SECRET) < 24:
    sys.exit("Set BRICKMARK_WEBHOOK_SECRET to your whsec_ secret.")

TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 1_000_000


def is_signed(headers, body):
    """Whether the message was recently signed with our secret (Standard Webhooks 1.0)."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isascii() or not timestamp.isdigit():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(SECRET, signed, "sha256")).decode()
    # For 24 hours after a rotation there are two signatures; one match is enough.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures)


def keep(message_id, body):
    """Stores a message that is not in the inbox yet. It is on disk when this returns."""
    inbox = sqlite3.connect(INBOX, timeout=10)
    try:
        with inbox:
            row = (message_id, body.decode())
            inbox.execute("INSERT OR IGNORE INTO inbox (id, message) VALUES (?, ?)", row)
    finally:
        inbox.close()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            return None
        if not is_signed(self.headers, body):
            return self.answer(401)
        keep(self.headers["webhook-id"], body)
        # Respond first: do slow work in another process that reads the inbox.
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


with sqlite3.connect(INBOX) as created:
    created.execute(
        "CREATE TABLE IF NOT EXISTS inbox (number INTEGER PRIMARY KEY, id TEXT UNIQUE, message TEXT)"
    )
created.close()
server = ThreadingHTTPServer(("", PORT), Receiver)
print(f"Receiving on port {server.server_port}.", flush=True)
server.serve_forever()
