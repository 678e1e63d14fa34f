"""What a call returns, and what it raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from .types import Upload

Body = TypeVar("Body", covariant=True)


@dataclass(frozen=True)
class Answer(Generic[Body]):
    """A successful answer. `status` distinguishes the forms if an operation has several."""

    status: int
    #: Names are lower case.
    headers: Mapping[str, str]
    body: Body

    @property
    def upload_id(self) -> str | None:
        """The upload that the request made."""
        return self.headers.get("x-upload-id")


class ApiError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        self.status = status
        self.headers = headers
        #: Parsed if it is JSON, else text.
        self.body = body
        #: Of a 422: the sentences by field.
        self.fields: dict[str, list[str]] = _fields(body) if status == 422 else {}
        #: The service's own sentences; empty if the body has none.
        self.messages: list[str] = _messages(body, self.fields)
        super().__init__(f"{status}: {' '.join(self.messages) or 'no message'}")

    @property
    def request_id(self) -> str | None:
        """What to name when asking the service's people about it."""
        return self.headers.get("x-request-id")

    @property
    def upload_id(self) -> str | None:
        """Of an upload that was stored and then refused or failed."""
        return self.headers.get("x-upload-id")


class UploadNotEndedError(Exception):
    """The upload still ran when the time was over. It continues."""

    def __init__(self, upload: Upload) -> None:
        #: As last seen.
        self.upload = upload
        super().__init__(f"the upload {upload['upload_id']} has not ended; it is {upload['state']}")


def _messages(body: Any, fields: Mapping[str, list[str]]) -> list[str]:
    if isinstance(body, str):
        return [body] if body else []
    message = body.get("message") if isinstance(body, dict) else None
    if isinstance(message, str):
        return [message]
    if isinstance(message, list) and _are_texts(message):
        return message
    return [sentence for sentences in fields.values() for sentence in sentences]


def _fields(body: Any) -> dict[str, list[str]]:
    """A 422 is `{"field": ["sentence"]}`, without anything around it."""
    if not isinstance(body, dict):
        return {}
    return {field: texts for field, texts in body.items() if _are_texts(texts)}


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
