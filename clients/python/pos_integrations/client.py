"""Calls, repeats, lists and waiting."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .answers import Answer, ApiError, UploadNotEndedError
from .operations import Operations

if TYPE_CHECKING:
    from .types import Upload

_LONGEST_PAUSE = 20.0
# A Retry-After above this is left to the caller.
_LONGEST_RETRY_AFTER = 60
_FIRST_LOOK = 0.25
_LONGEST_LOOK = 5.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer: following it would take the token to another place."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client(Operations):
    """
    The service at `base_url`, such as `https://pos.example`, for the user of the token.

    Each operation is a method. It is repeated, if that is safe, after a broken connection, a time-out, 408, 429, 5xx and
    the 409 of an early repeat; it raises `ApiError` for an unsuccessful answer, and the last `OSError` or
    `http.client.HTTPException` where there was no answer. Safe to share between threads.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        repeats: int = 4,
        first_pause: float = 0.5,
    ) -> None:
        """
        `timeout`: seconds of silence after which a try is given up; more than the service waits for outcomes (25 s).
        `repeats`: after the first try. `first_pause`: seconds; each further one is twice as long, less up to half by
        chance, and never shorter than `Retry-After`.
        """
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._repeats = repeats
        self._first_pause = first_pause
        self._opener = urllib.request.build_opener(_NoRedirects)

    def each(self, list_operation: Callable[..., Answer[Any]], *ids: Any, **query: Any) -> Iterator[Any]:
        """Every entry of a list, page by page: `client.each(client.list_uploads, state="failed")`."""
        while True:
            page = list_operation(*ids, **query).body
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def wait_for_upload(
        self, upload: str | Answer[Any] | ApiError, *, timeout: float = 600.0
    ) -> Upload:
        """
        The upload when it has ended, in whatever state. Takes its id, or the answer or error of the request that made
        it. Raises `UploadNotEndedError` after `timeout` seconds, and `ValueError` for an answer that names no upload.
        """
        upload_id = upload if isinstance(upload, str) else upload.upload_id
        if not upload_id:
            raise ValueError("the answer names no upload")
        ends_at = time.monotonic() + timeout
        pause = _FIRST_LOOK
        while True:
            seen = self.get_upload(upload_id).body["data"]
            if seen["state"] not in ("queued", "running"):
                return seen
            left = ends_at - time.monotonic()
            if left <= 0:
                raise UploadNotEndedError(seen)
            time.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_LOOK)

    def _call(
        self,
        method: str,
        path: str,
        *,
        ids: Mapping[str, int | str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        keyed: bool = False,
        key: str | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer[Any]:
        sent = {"accept": "application/json"}
        if self._token is not None:
            sent["authorization"] = f"Bearer {self._token}"
        if keyed:
            sent["idempotency-key"] = key or str(uuid.uuid4())
        data = None
        if body is not None:
            sent["content-type"] = "application/json"
            data = json.dumps(body).encode()
        sent |= {name: value for name, value in (headers or {}).items() if value is not None}
        url = self._base_url + _filled(path, ids or {}) + _asked(query or {})
        repeats = self._repeats if keyed or method == "GET" else 0
        answer = self._with_repeats(
            # A new one for each try: urllib changes one that goes through a proxy, so that it would go without TLS
            # when it is opened again.
            lambda: urllib.request.Request(url, data=data, headers=sent, method=method),
            repeats,
        )
        if 200 <= answer.status < 300:
            return answer
        raise ApiError(answer.status, answer.headers, answer.body)

    def _with_repeats(self, request: Callable[[], urllib.request.Request], repeats: int) -> Answer[Any]:
        pause = self._first_pause
        for _ in range(repeats):
            wait = 0.0
            try:
                answer = self._send(request())
                asked = _asked_pause(answer)
                if asked is None:
                    return answer
                wait = asked
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(max(wait, min(pause, _LONGEST_PAUSE) * (1 - random.random() / 2)))
            pause *= 2
        return self._send(request())

    def _send(self, request: urllib.request.Request) -> Answer[Any]:
        """Reads the whole answer: one that breaks off counts as none."""
        try:
            response = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            text = response.read().decode("utf-8", "replace")
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, headers, _parsed(text, headers))


def _asked_pause(answer: Answer[Any]) -> float | None:
    """Seconds that the service asks for; None where a repeat would be answered the same, or only after long."""
    asked = answer.headers.get("retry-after", "")
    # A 409 with Retry-After: the first request with this key is still running.
    waits = answer.status == 409 and asked != ""
    if not waits and answer.status < 500 and answer.status not in (408, 429):
        return None
    seconds = int(asked) if asked.isdecimal() else 0
    return None if seconds > _LONGEST_RETRY_AFTER else float(seconds)


def _filled(path: str, ids: Mapping[str, int | str]) -> str:
    for name, value in ids.items():
        # Without its id the path would be that of another resource, and so it is with one of these steps.
        if value is None or str(value) in ("", ".", ".."):
            raise ValueError(f"{name} is missing")
        path = path.replace("{" + name + "}", quote(str(value), safe=""))
    return path


def _asked(query: Mapping[str, Any]) -> str:
    given = {name: _text(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(text: str, headers: Mapping[str, str]) -> Any:
    """A proxy may answer HTML with the wrong content type: that is treated as text."""
    if text == "":
        return None
    if "json" not in headers.get("content-type", ""):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
