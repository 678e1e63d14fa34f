"""A webhook receiver in Python 3.9 or later, without dependencies.

WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 python3 verify_webhook.py
"""

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["WEBHOOK_SECRETS"].split()
TOLERANCE = int(os.environ.get("WEBHOOK_TOLERANCE", "300"))
MAX_BODY = 16 * 1024 * 1024


def verify(secrets, headers, body, now):
    """Whether `body` (bytes, as received) was signed by the platform within the last five minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,11}", timestamp) or abs(now - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    given = headers.get("webhook-signature", "").split(" ")
    return any(
        same("v1," + base64.b64encode(mac(secret, signed)).decode(), each)
        for secret in secrets
        for each in given
    )


def verify_x_signature_request(secrets, headers, body):
    """The older header. Its `now` is the body's, and the same second as webhook-timestamp."""
    second = datetime.fromtimestamp(int(headers["webhook-timestamp"]), timezone.utc)
    signed = second.strftime("%Y-%m-%dT%H:%M:%S.000Z.").encode() + body
    given = headers.get("x-signature-request", "").split(",")
    return any(
        same("v1=" + mac(secret, signed).hex(), each) for secret in secrets for each in given
    )


def mac(secret, signed):
    key = base64.b64decode(secret[len("whsec_") :])
    return hmac.new(key, signed, hashlib.sha256).digest()


def same(expected, given):
    # As bytes: compare_digest throws for text that is not ASCII, which a header may hold.
    return hmac.compare_digest(expected.encode(), given.encode())


# Yours are tables, written in the transaction that applies the message.
lock = threading.Lock()
seen = set()
newest = {}


def take(message_id, sequence, message):
    """Applies a message once; what it returns is told to the POS user as the reason of a refusal."""
    with lock:
        if message_id in seen:
            return None
        if "external_id" in message:
            if message["current_stock"].startswith("-"):
                return "The stock cannot be negative."
            item = (message["store_id"], message["external_id"])
            # A retry may arrive after a newer update of the same item: older news is no news.
            if sequence > newest.get(item, -1):
                newest[item] = sequence
                print("stock of", item, "is", message["current_stock"], flush=True)
        seen.add(message_id)
        return None


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        # The first is enough, and an event has no other. The older one is here to show how.
        if not verify(SECRETS, self.headers, body, time.time()):
            return self.answer(401)
        has_older = "x-signature-request" in self.headers
        if has_older and not verify_x_signature_request(SECRETS, self.headers, body):
            return self.answer(401)
        sequence = int(self.headers["webhook-sequence"])
        refusal = take(self.headers["webhook-id"], sequence, json.loads(body))
        return self.answer(422, {"message": refusal}) if refusal else self.answer(204)

    def answer(self, status, body=None):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print("listening on", server.server_port, flush=True)
    server.serve_forever()
