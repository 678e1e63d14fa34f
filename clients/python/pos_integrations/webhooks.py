"""Webhooks that the service sends."""

from __future__ import annotations

import base64
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class WebhookNotVerifiedError(Exception):
    """The request is not from the service, or is too old. Answer 401: a true one is tried again."""


@dataclass(frozen=True)
class VerifiedWebhook:
    #: The same for every attempt of a message: apply each once.
    id: str
    #: When the attempt was made, in seconds since 1970.
    sent_at: int
    #: Grows with each message of a webhook: an older one is no news. Not signed. None where it is absent.
    sequence: int | None
    #: The body, parsed: `types.StockMessage`, `types.ItemDataMessage` or an event.
    message: Any


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> VerifiedWebhook:
    """
    Checks the sender and the age of a webhook by `webhook-signature` of Standard Webhooks.

    `headers`: in any case. `body`: byte for byte as received; one that was parsed and printed again has another
    signature. `secrets`: one or more `whsec_…`; after a rotation both the new and the old one. `tolerance`: seconds.
    `now`: seconds since 1970, for tests. Raises `WebhookNotVerifiedError` unless one of the secrets has signed it within
    the tolerance, and `ValueError` for an invalid secret or a signed body that is not JSON.
    """
    given = {name.lower(): value for name, value in headers.items()}
    keys = [_key(each) for each in ([secrets] if isinstance(secrets, str) else secrets)]
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if message_id == "" or not re.fullmatch(r"[0-9]{1,11}", timestamp):
        raise WebhookNotVerifiedError("a header is missing")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookNotVerifiedError("it is too old")
    signed = f"{message_id}.{timestamp}.".encode() + body
    right = [base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    signatures = given.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(b"v1," + mac, each) for mac in right for each in signatures):
        raise WebhookNotVerifiedError("no signature is right")
    sequence = given.get("webhook-sequence", "")
    return VerifiedWebhook(
        id=message_id,
        sent_at=int(timestamp),
        sequence=int(sequence) if re.fullmatch(r"[0-9]{1,15}", sequence) else None,
        message=json.loads(body),
    )


def _key(secret: str) -> bytes:
    """An empty or a misspelt secret would make a key that anybody can guess; Standard Webhooks asks for 24 bytes."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not secret.startswith("whsec_") or len(key) < 24:
        raise ValueError("a secret is whsec_…")
    return key
