"""What the receivers in Python share: the check of docs/verifying-webhooks.md. Each prints the ids that it applies."""

import base64
import hashlib
import hmac
import os
import time

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()


def is_signed(headers, body):
    timestamp = headers.get("webhook-timestamp") or ""
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    signature = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    given = (headers.get("webhook-signature") or "").split(" ")
    is_new = timestamp.isdigit() and abs(time.time() - int(timestamp)) < 300
    return is_new and any(hmac.compare_digest(each, signature) for each in given)


def apply(message_id):
    if message_id not in seen:
        seen.add(message_id)
        print("applied", message_id, flush=True)
