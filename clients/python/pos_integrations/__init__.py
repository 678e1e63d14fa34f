"""Client of the POS integrations API."""

from .answers import Answer, ApiError, UploadNotEndedError
from .client import Client
from .webhooks import VerifiedWebhook, WebhookNotVerifiedError, verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "Client",
    "UploadNotEndedError",
    "VerifiedWebhook",
    "WebhookNotVerifiedError",
    "verify_webhook",
]
