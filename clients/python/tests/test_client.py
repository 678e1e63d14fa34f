"""What the client does besides sending: `python3 -m unittest discover -s tests` in clients/python."""

from __future__ import annotations

import http.client
import json
import os
import threading
import unittest
from collections.abc import Callable
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pos_integrations import (
    ApiError,
    Client,
    UploadNotEndedError,
    WebhookNotVerifiedError,
    verify_webhook,
)

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "test/vectors/webhook-signatures.json").read_text())

Step = Callable[[BaseHTTPRequestHandler], None]


class Script(BaseHTTPRequestHandler):
    """Answers each request by the next step; the last one answers all further ones."""

    steps: list[Step]
    seen: list[tuple[str, str, str | None, bytes]]

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        self.seen.append((self.command, self.path, self.headers.get("idempotency-key"), body))
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        step(self)

    do_GET = do_POST = do_PATCH = do_CONNECT = answer

    def log_message(self, *_: Any) -> None:
        pass


def answer(status: int, body: Any, **headers: str) -> Step:
    def send(request: BaseHTTPRequestHandler) -> None:
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request.send_response(status)
        if not isinstance(body, str):
            request.send_header("content-type", "application/json; charset=utf-8")
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("content-length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    return send


def cut(request: BaseHTTPRequestHandler) -> None:
    """An answer that breaks off."""
    request.send_response(201)
    request.send_header("content-length", "100")
    request.end_headers()
    request.wfile.write(b"{")


def nothing(request: BaseHTTPRequestHandler) -> None:
    """A connection that ends before the answer."""
    request.close_connection = True


CREATED = answer(201, {"message": "Store successfully created.", "data": {"id": 7}})
BUSY = answer(503, {"message": ["The service is busy."], "data": None})
STORE: Any = {"name": "Centro", "country_code": "MX"}


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Script)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        Script.seen = []

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def client(self, *steps: Step, **options: Any) -> Client:
        Script.steps = list(steps)
        url = f"http://127.0.0.1:{self.server.server_port}"
        return Client(url, "secret", first_pause=0.001, **options)

    def test_what_may_pass_is_repeated_with_the_same_key(self) -> None:
        early = answer(409, {"message": ["…"], "data": None}, retry_after="0")
        slow = answer(429, {"message": ["Too many requests."]}, retry_after="0")
        for step in (BUSY, early, slow, answer(408, ""), cut, nothing):
            Script.seen = []
            made = self.client(step, step, CREATED).create_store(STORE)
            self.assertEqual((made.status, made.body["data"]["id"]), (201, 7))
            self.assertEqual(len(Script.seen), 3)
            self.assertEqual(len(set(Script.seen)), 1)
            self.assertRegex(str(Script.seen[0][2]), r"^[0-9a-f-]{36}$")

    def test_a_key_of_the_caller_is_sent_as_it_is(self) -> None:
        self.client(CREATED).create_store(STORE, key="order-17")
        self.assertEqual(Script.seen[0][2], "order-17")

    def test_a_write_without_a_key_is_sent_once(self) -> None:
        with self.assertRaisesRegex(ApiError, "503: The service is busy."):
            self.client(BUSY).change_store(1, {"direction": "A"})
        self.assertEqual([each[:3] for each in Script.seen], [("PATCH", "/api/v1/store/1", None)])

    def test_other_refusals_are_not_repeated(self) -> None:
        for status in (400, 401, 404, 409, 422):
            Script.seen = []
            with self.assertRaises(ApiError):
                self.client(answer(status, {})).create_store(STORE)
            self.assertEqual(len(Script.seen), 1)

    def test_repeats_end_with_the_last_failure(self) -> None:
        with self.assertRaises(ApiError) as busy:
            self.client(BUSY, repeats=2).me()
        self.assertEqual((busy.exception.status, len(Script.seen)), (503, 3))
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.client(nothing, repeats=2).me()
        self.assertEqual(len(Script.seen), 6)

    def test_a_requested_wait_of_minutes_is_left_to_the_caller(self) -> None:
        with self.assertRaises(ApiError):
            self.client(answer(429, {}, retry_after="61")).me()
        self.assertEqual(len(Script.seen), 1)

    def test_a_try_without_an_answer_is_given_up_and_repeated(self) -> None:
        ended = threading.Event()

        def silent(_: BaseHTTPRequestHandler) -> None:
            ended.wait(30)

        try:
            made = self.client(silent, CREATED, timeout=0.3).create_store(STORE)
            self.assertEqual(made.status, 201)
        finally:
            ended.set()

    def test_a_proxy_that_refuses_is_never_asked_for_more_than_a_tunnel(self) -> None:
        Script.steps = [BUSY]
        proxy = f"http://127.0.0.1:{self.server.server_port}"
        with patch.dict(os.environ, {"https_proxy": proxy, "no_proxy": ""}):
            client = Client("https://pos.invalid", "secret", first_pause=0.001)
        with self.assertRaises(OSError):
            client.create_store(STORE)
        self.assertEqual(Script.seen, [("CONNECT", "pos.invalid:443", None, b"")] * 5)

    def test_a_redirect_is_not_followed(self) -> None:
        with self.assertRaises(ApiError) as moved:
            self.client(answer(302, "", location="/elsewhere")).me()
        self.assertEqual((moved.exception.status, len(Script.seen)), (302, 1))

    def test_a_refusal_says_what_the_service_said(self) -> None:
        sentences = {"name": ["The name field is required."]}
        fields = self.refusal(answer(422, sentences))
        self.assertEqual((str(fields), fields.fields), ("422: The name field is required.", sentences))
        two = {"message": ["One.", "Two."], "data": None}
        told = self.refusal(answer(409, two, x_request_id="req-1", x_upload_id="upl_1"))
        self.assertEqual((told.messages, told.request_id, told.upload_id), (["One.", "Two."], "req-1", "upl_1"))
        self.assertEqual(str(self.refusal(answer(401, "Unauthorized."))), "401: Unauthorized.")
        html = self.refusal(answer(500, "<html>", content_type="application/json"))
        self.assertEqual(html.body, "<html>")

    def refusal(self, step: Step) -> ApiError:
        with self.assertRaises(ApiError) as raised:
            self.client(step, repeats=0).create_store(STORE)
        return raised.exception

    def test_values_in_a_path_and_a_query_arrive_unchanged(self) -> None:
        found = self.client(answer(200, {"message": "Success.", "data": {}}))
        found.get_upload("a/b c")
        found.list_deliveries(events=True, limit=5)
        self.assertEqual(
            [each[1] for each in Script.seen],
            ["/api/v1/menus/uploads/a%2Fb%20c", "/api/v1/webhooks/deliveries?events=true&limit=5"],
        )
        for missing in ("", ".", ".."):
            with self.subTest(missing), self.assertRaises(ValueError):
                found.get_upload(missing)

    def test_a_list_is_read_page_by_page_only_as_far_as_needed(self) -> None:
        pages = [
            answer(200, {"data": ["a", "b"], "next_cursor": "c1"}),
            answer(200, {"data": [], "next_cursor": "c2"}),
            answer(200, {"data": ["c"], "next_cursor": None}),
        ]
        client = self.client(*pages)
        self.assertEqual(list(client.each(client.list_uploads, store_id=1)), ["a", "b", "c"])
        asked = [each[1].split("?")[1] for each in Script.seen]
        self.assertEqual(asked, ["store_id=1", "store_id=1&cursor=c1", "store_id=1&cursor=c2"])
        again = self.client(*pages)
        self.assertEqual(next(again.each(again.list_uploads)), "a")
        self.assertEqual(len(Script.seen), 4)

    def test_waiting_ends_with_the_upload_in_whatever_state(self) -> None:
        refused = answer(409, {"message": ["No."], "data": None}, x_upload_id="upl_1")
        client = self.client(refused, state("queued"), state("running"), state("failed"))
        with self.assertRaises(ApiError) as raised:
            client.upload_menu({})  # type: ignore[typeddict-item]
        self.assertEqual(client.wait_for_upload(raised.exception)["state"], "failed")
        self.assertEqual(Script.seen[-1][1], "/api/v1/menus/uploads/upl_1")
        with self.assertRaisesRegex(UploadNotEndedError, "it is running"):
            self.client(state("running")).wait_for_upload("upl_1", timeout=0)
        with self.assertRaisesRegex(ValueError, "names no upload"):
            client.wait_for_upload(self.client(CREATED).create_store(STORE))


def state(name: str) -> Step:
    return answer(200, {"message": "Success.", "data": {"upload_id": "upl_1", "state": name}})


class WebhookTest(unittest.TestCase):
    def verify(self, vector: dict[str, Any], **changed: Any) -> Any:
        given = {**vector, **changed}
        now = datetime.fromisoformat(given["now"].replace("Z", "+00:00")).timestamp()
        return verify_webhook(given["headers"], given["body"].encode(), given["secrets"], now=now)

    def test_the_known_ones_are_taken_and_refused(self) -> None:
        for vector in VECTORS["valid"]:
            with self.subTest(vector["name"]):
                verified = self.verify(vector)
                self.assertEqual(verified.id, vector["headers"]["webhook-id"])
                self.assertEqual(verified.message, json.loads(vector["body"]))
        for vector in VECTORS["refused"]:
            with self.subTest(vector["name"]), self.assertRaises(WebhookNotVerifiedError):
                self.verify(vector)

    def test_names_of_headers_have_any_case_and_the_sequence_is_told(self) -> None:
        known = VECTORS["valid"][0]
        headers = {name.title(): value for name, value in known["headers"].items()}
        self.assertIsNone(self.verify(known, headers=headers).sequence)
        headers["Webhook-Sequence"] = "41"
        self.assertEqual(self.verify(known, headers=headers).sequence, 41)

    def test_what_was_changed_is_refused(self) -> None:
        known = VECTORS["valid"][0]
        other = "whsec_" + "A" * 44
        changes: list[dict[str, Any]] = [
            {"body": known["body"] + " "},
            {"headers": {**known["headers"], "webhook-id": "msg_other"}},
            {"secrets": [other]},
            {"now": "2023-01-19T00:35:30.000Z"},
            {"now": "2023-01-19T00:45:32.000Z"},
            {"headers": {}},
        ]
        for changed in changes:
            with self.subTest(changed), self.assertRaises(WebhookNotVerifiedError):
                self.verify(known, **changed)

    def test_what_is_no_secret_is_refused(self) -> None:
        for secret in ("", "whsec_", "secret", "whsec_c2hvcnQ=", "whsec_ü"):
            with self.subTest(secret), self.assertRaises(ValueError):
                self.verify(VECTORS["valid"][0], secrets=[secret])


if __name__ == "__main__":
    unittest.main()
