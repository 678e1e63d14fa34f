# Written by npm run clients from /openapi.json; do not edit.
"""Every operation of the API but those that delivery apps call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from .answers import Answer

if TYPE_CHECKING:
    from . import types


class Operations:
    """
    `key` is the `Idempotency-Key`: made for each call, so that its repeats are safe. Pass your own, 1 to 255 printable
    ASCII characters without blanks, to be safe across restarts of your program.
    """

    # The client's: it sends the request, and repeats it.
    _call: Callable[..., Answer[Any]]

    def me(
        self,
    ) -> Answer[types.MeAnswer]:
        """See who you are. The user that the token belongs to, and the token without its secret."""
        return self._call("GET", "/api/v1/me")

    def search(
        self,
        *,
        q: str,
    ) -> Answer[types.SearchAnswer]:
        """Find anything by its id or name. What you may see, the closest first, at most 20: uploads, deliveries (also by their `webhook-id`), rollouts, stores and inventory systems by their id; what a request made, by its `X-Request-Id`; stores by what delivery apps call them; stores and inventory systems by words of their name; items that are off sale by their external id."""
        return self._call("GET", "/api/v1/search", query={"q": q})

    def upload_menu(
        self,
        body: types.MenuUpload,
        *,
        skip_unchanged: bool | None = None,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.UploadMenuAnswer200 | types.UploadMenuAnswer202]:
        """Upload a menu. Waits for the outcome, 25 s unless configured otherwise, and answers 202 if there is none yet. Once the upload is stored, every answer has `X-Upload-Id` and `Location`: from then on it is carried out whatever happens to the connection.

        Only the newest upload of a store and integration counts; older ones that wait are superseded."""
        return self._call("POST", "/api/v1/menus/upload", query={"skip_unchanged": skip_unchanged}, body=body, keyed=True, key=key, headers={"prefer": prefer})

    def change_menus(
        self,
        body: types.ItemChanges,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.ChangeMenusAnswer200 | types.ChangeMenusAnswer202]:
        """Change single items of the menus that a store shows. Makes a new version of each menu: the newest accepted one, else the live one, with the changes. It takes its place among the uploads of its store and integration. Goes to the named integrations, or to all that show a menu. Where an app has calls for it, and few enough do, the change goes by calls about single items (`way` is `items`), else with the whole menu. Waits for the outcome, 25 s unless configured otherwise. Of elements with the same ids the last counts."""
        return self._call("POST", "/api/v1/menus/changes", body=body, keyed=True, key=key, headers={"prefer": prefer})

    def preview_menu(
        self,
        body: types.MenuPreview,
        *,
        include: str | None = None,
        check_images: bool | None = None,
    ) -> Answer[types.PreviewMenuAnswer]:
        """Preview a menu. Returns what each delivery app would show, and what would be lost, with the messages of an upload. Nothing is stored, started or pushed. A loss names every difference between the menu as sent and `shown`. Without `check_images` only the URLs of images are checked."""
        return self._call("POST", "/api/v1/menus/preview", query={"include": include, "check_images": check_images}, body=body)

    def get_upload(
        self,
        upload_id: int | str,
    ) -> Answer[types.GetUploadAnswer]:
        """See one upload. Includes its steps, the answer of the delivery app (`messages`), and the parts that the app will not show as sent (`losses`)."""
        return self._call("GET", "/api/v1/menus/uploads/{upload_id}", ids={"upload_id": upload_id})

    def list_uploads(
        self,
        *,
        store_id: int | None = None,
        integration_id: str | None = None,
        state: Literal["queued", "running", "uploaded", "partly_uploaded", "failed", "superseded", "canceled"] | None = None,
        since: str | None = None,
        until: str | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListUploadsAnswer]:
        """List uploads. The uploads of your stores, newest first, without losses and steps, and with at most five messages. The URL of an upload returns all of it."""
        return self._call("GET", "/api/v1/menus/uploads", query={"store_id": store_id, "integration_id": integration_id, "state": state, "since": since, "until": until, "request_id": request_id, "limit": limit, "cursor": cursor})

    def get_upload_menu(
        self,
        upload_id: int | str,
    ) -> Answer[types.GetUploadMenuAnswer]:
        """See the menu of an upload. The body as it was sent, including unknown members."""
        return self._call("GET", "/api/v1/menus/uploads/{upload_id}/menu", ids={"upload_id": upload_id})

    def get_upload_payload(
        self,
        upload_id: int | str,
    ) -> Answer[types.GetUploadPayloadAnswer]:
        """See the payload that the delivery app was sent. The app’s own JSON, without tokens and secrets, and without what is off sale, which is written in when it is sent."""
        return self._call("GET", "/api/v1/menus/uploads/{upload_id}/payload", ids={"upload_id": upload_id})

    def get_upload_shown(
        self,
        upload_id: int | str,
    ) -> Answer[types.GetUploadShownAnswer]:
        """See an upload as the delivery app shows it. Read back from the payload of the upload, in the form of a preview; `available` is what is on sale now."""
        return self._call("GET", "/api/v1/menus/uploads/{upload_id}/shown", ids={"upload_id": upload_id})

    def get_upload_changes(
        self,
        upload_id: int | str,
        *,
        against: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.GetUploadChangesAnswer]:
        """See what an upload changed. The changes from another menu to this one, both as they were sent, by POS id. The other menu is the one that was live before (`previous`), the one that is live now, or that of another upload. An upload that never went live is compared with the live menu. With `Accept: text/plain` each change is a line, and `Link` leads to the next page."""
        return self._call("GET", "/api/v1/menus/uploads/{upload_id}/changes", ids={"upload_id": upload_id}, query={"against": against, "limit": limit, "cursor": cursor})

    def republish_upload(
        self,
        upload_id: int | str,
        *,
        skip_unchanged: bool | None = None,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.RepublishUploadAnswer200 | types.RepublishUploadAnswer202]:
        """Publish the menu of an upload again. Uploads that menu again, in whichever state the old upload ended, with the same checks and answers as an upload."""
        return self._call("POST", "/api/v1/menus/uploads/{upload_id}/republish", ids={"upload_id": upload_id}, query={"skip_unchanged": skip_unchanged}, keyed=True, key=key, headers={"prefer": prefer})

    def cancel_upload(
        self,
        upload_id: int | str,
        *,
        key: str | None = None,
    ) -> Answer[types.CancelUploadAnswer]:
        """Cancel an upload. Possible while it waits, even for the next try of an app that is away. A waiting caller gets 409 `The upload was canceled.`"""
        return self._call("POST", "/api/v1/menus/uploads/{upload_id}/cancel", ids={"upload_id": upload_id}, keyed=True, key=key)

    def list_live_menus(
        self,
        *,
        store_id: int,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListLiveMenusAnswer]:
        """List the live menus. The menus that the delivery apps of a store show: one entry for each app that the store is connected to, the newest first."""
        return self._call("GET", "/api/v1/menus/live", query={"store_id": store_id, "limit": limit, "cursor": cursor})

    def check_live_menu(
        self,
        body: types.LiveCheck,
        *,
        key: str | None = None,
    ) -> Answer[types.CheckLiveMenuAnswer200 | types.CheckLiveMenuAnswer202]:
        """Read back what is live. Reads the menu from the delivery app, never at the same time as a push to the store, and compares it with the menu that was sent. It ignores whether items are on sale."""
        return self._call("POST", "/api/v1/menus/live/check", body=body, keyed=True, key=key)

    def change_availability(
        self,
        body: types.AvailabilityChange,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.ChangeAvailabilityAnswer200 | types.ChangeAvailabilityAnswer202]:
        """Take items off sale, or put them back. At once, without a menu; options are items like others. An item stays off sale through later uploads, until it is put back or `until` passes. Goes to the named integrations, or to all that the store is connected to and that have shown a menu or have an item off sale that is put back, with one change for each. Waits for the outcome, 25 s unless configured otherwise. Per item the newest request counts."""
        return self._call("POST", "/api/v1/menus/availability", body=body, keyed=True, key=key, headers={"prefer": prefer})

    def list_unavailable(
        self,
        *,
        store_id: int | None = None,
        integration_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListUnavailableAnswer]:
        """List the items that are off sale. The items of your stores, newest first. `state` is that of the latest change: `failed` means that the item should be off sale, but the delivery app has not done it."""
        return self._call("GET", "/api/v1/menus/availability", query={"store_id": store_id, "integration_id": integration_id, "limit": limit, "cursor": cursor})

    def get_availability_change(
        self,
        change_id: int | str,
    ) -> Answer[types.GetAvailabilityChangeAnswer]:
        """See one change of availability. The change is about items, or about a store that was paused or resumed (`kind`)."""
        return self._call("GET", "/api/v1/menus/availability/changes/{change_id}", ids={"change_id": change_id})

    def start_rollout(
        self,
        body: types.MenuRollout,
        *,
        key: str | None = None,
    ) -> Answer[types.StartRolloutAnswer]:
        """Upload one menu to many stores. Up to 1,000 targets, `parallel` at once. The rules of the menu are checked once; a target for which an upload would be refused ends `refused`, and the others continue. Each target takes its place in the store’s queue at once: an upload that is accepted later wins there."""
        return self._call("POST", "/api/v1/menus/rollouts", body=body, keyed=True, key=key)

    def list_rollouts(
        self,
        *,
        state: Literal["running", "done", "stopped", "canceled", "reverting", "reverted"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListRolloutsAnswer]:
        """List rollouts. The rollouts that you started, newest first."""
        return self._call("GET", "/api/v1/menus/rollouts", query={"state": state, "limit": limit, "cursor": cursor})

    def get_rollout(
        self,
        rollout_id: int | str,
    ) -> Answer[types.GetRolloutAnswer]:
        """See one rollout."""
        return self._call("GET", "/api/v1/menus/rollouts/{rollout_id}", ids={"rollout_id": rollout_id})

    def list_rollout_targets(
        self,
        rollout_id: int | str,
        *,
        state: Literal["waiting", "queued", "running", "uploaded", "partly_uploaded", "failed", "superseded", "canceled", "refused"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListRolloutTargetsAnswer]:
        """List the targets of a rollout. In the order in which they were sent."""
        return self._call("GET", "/api/v1/menus/rollouts/{rollout_id}/targets", ids={"rollout_id": rollout_id}, query={"state": state, "limit": limit, "cursor": cursor})

    def cancel_rollout(
        self,
        rollout_id: int | str,
        *,
        key: str | None = None,
    ) -> Answer[types.CancelRolloutAnswer]:
        """Cancel a rollout. Targets that have not started or are not being pushed end `canceled`; the others finish, and then the rollout ends."""
        return self._call("POST", "/api/v1/menus/rollouts/{rollout_id}/cancel", ids={"rollout_id": rollout_id}, keyed=True, key=key)

    def revert_rollout(
        self,
        rollout_id: int | str,
        *,
        key: str | None = None,
    ) -> Answer[types.RevertRolloutAnswer]:
        """Take a rollout back. Wherever its menu is still live, the menu that was live before is published again. Allowed once, after the rollout has ended."""
        return self._call("POST", "/api/v1/menus/rollouts/{rollout_id}/revert", ids={"rollout_id": rollout_id}, keyed=True, key=key)

    def create_store(
        self,
        body: types.StoreCreate,
        *,
        key: str | None = None,
    ) -> Answer[types.CreateStoreAnswer]:
        """Create a store. The new store is yours."""
        return self._call("POST", "/api/v1/store", body=body, keyed=True, key=key)

    def list_stores(
        self,
        *,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListStoresAnswer]:
        """List stores. The stores that you have, newest first; operators see all. With `q` only the store with this id, or those that a delivery app calls so; if there is none, those with each word of it somewhere in their name, case and accents aside."""
        return self._call("GET", "/api/v1/store", query={"q": q, "limit": limit, "cursor": cursor})

    def get_store(
        self,
        store_id: int | str,
    ) -> Answer[types.GetStoreAnswer]:
        """See one store."""
        return self._call("GET", "/api/v1/store/{store_id}", ids={"store_id": store_id})

    def change_store(
        self,
        store_id: int | str,
        body: types.StoreChange,
    ) -> Answer[types.ChangeStoreAnswer]:
        """Change a store. Changes only the given fields; null clears the direction, the time zone, and both coordinates together."""
        return self._call("PATCH", "/api/v1/store/{store_id}", ids={"store_id": store_id}, body=body)

    def delete_store(
        self,
        store_id: int | str,
    ) -> Answer[types.DeleteStoreAnswer]:
        """Delete a store. For the user who created it and for operators. Nothing more is accepted for it, its links end, waiting uploads end `canceled` and waiting deliveries `discarded`; work in progress finishes, and the delivery apps stay as they are."""
        return self._call("DELETE", "/api/v1/store/{store_id}", ids={"store_id": store_id})

    def list_store_integrations(
        self,
        store_id: int | str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListStoreIntegrationsAnswer]:
        """List the delivery apps of a store. The delivery apps that the store is connected to, with the upload that is live there, and whether the store is paused."""
        return self._call("GET", "/api/v1/store/{store_id}/integrations", ids={"store_id": store_id}, query={"limit": limit, "cursor": cursor})

    def store_timeline(
        self,
        store_id: int | str,
        *,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.StoreTimelineAnswer]:
        """See what happened to a store. Newest first: uploads, changes of what is off sale, pauses, rollouts, live menus that differ from what was sent, and webhooks about the store that failed. Of another user, `by` is null, except for operators and `support`."""
        return self._call("GET", "/api/v1/store/{store_id}/timeline", ids={"store_id": store_id}, query={"since": since, "until": until, "limit": limit, "cursor": cursor})

    def pause_store(
        self,
        store_id: int | str,
        body: types.StorePause,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.PauseStoreAnswer200 | types.PauseStoreAnswer202]:
        """Pause a store. It takes no orders in the named integrations, or in all that it is connected to, until it is resumed or `until` passes. Uploads do not start or end a pause, and neither does stock."""
        return self._call("POST", "/api/v1/store/{store_id}/pause", ids={"store_id": store_id}, body=body, keyed=True, key=key, headers={"prefer": prefer})

    def resume_store(
        self,
        store_id: int | str,
        body: types.StoreResume,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.ResumeStoreAnswer200 | types.ResumeStoreAnswer202]:
        """Resume a store. It takes orders again in the named integrations, or in all that it is connected to."""
        return self._call("POST", "/api/v1/store/{store_id}/resume", ids={"store_id": store_id}, body=body, keyed=True, key=key, headers={"prefer": prefer})

    def set_special_days(
        self,
        store_id: int | str,
        body: types.SpecialDays,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.SetSpecialDaysAnswer200 | types.SetSpecialDaysAnswer202]:
        """Set the special days of a store. The days on which the store is closed or has other hours, in its time zone: they replace all earlier ones, and an empty list takes them away. Goes to the named integrations, or to all that the store is connected to, with one change for each. Waits for the outcome, 25 s unless configured otherwise."""
        return self._call("PUT", "/api/v1/store/{store_id}/special-days", ids={"store_id": store_id}, body=body, keyed=True, key=key, headers={"prefer": prefer})

    def get_special_days(
        self,
        store_id: int | str,
    ) -> Answer[types.GetSpecialDaysAnswer]:
        """See the special days of a store. Those that were set last and are not over, and how far each app is that was ever told some."""
        return self._call("GET", "/api/v1/store/{store_id}/special-days", ids={"store_id": store_id})

    def create_inventory_system(
        self,
        body: types.InventorySystemCreate,
        *,
        key: str | None = None,
    ) -> Answer[types.CreateInventorySystemAnswer]:
        """Create an inventory system. You own the system that you create: its webhooks and their deliveries are yours."""
        return self._call("POST", "/api/v1/inventory/system/create", body=body, keyed=True, key=key)

    def list_inventory_systems(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListInventorySystemsAnswer]:
        """List inventory systems. The systems that you created, newest first; operators see all."""
        return self._call("GET", "/api/v1/inventory/system", query={"limit": limit, "cursor": cursor})

    def get_inventory_system(
        self,
        inventory_system_id: int | str,
    ) -> Answer[types.GetInventorySystemAnswer]:
        """See one inventory system."""
        return self._call("GET", "/api/v1/inventory/system/{inventory_system_id}", ids={"inventory_system_id": inventory_system_id})

    def change_inventory_system(
        self,
        inventory_system_id: int | str,
        body: types.InventorySystemChange,
    ) -> Answer[types.ChangeInventorySystemAnswer]:
        """Rename an inventory system."""
        return self._call("PATCH", "/api/v1/inventory/system/{inventory_system_id}", ids={"inventory_system_id": inventory_system_id}, body=body)

    def delete_inventory_system(
        self,
        inventory_system_id: int | str,
    ) -> Answer[types.DeleteInventorySystemAnswer]:
        """Delete an inventory system. Its webhooks and links end with it; waiting deliveries end `discarded`."""
        return self._call("DELETE", "/api/v1/inventory/system/{inventory_system_id}", ids={"inventory_system_id": inventory_system_id})

    def link_store(
        self,
        body: types.StoreLink,
        *,
        key: str | None = None,
    ) -> Answer[types.LinkStoreAnswer]:
        """Link a store. Sets the store’s id in the inventory system. Linking again changes the id; a store may be linked to 64 systems. The link ends when neither who made it nor the system’s owner has the store any more; one made by an operator stays until it is ended."""
        return self._call("POST", "/api/v1/inventory/system/store/link", body=body, keyed=True, key=key)

    def list_store_links(
        self,
        inventory_system_id: int | str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListStoreLinksAnswer]:
        """List the stores that a system is linked to. The newest store first."""
        return self._call("GET", "/api/v1/inventory/system/{inventory_system_id}/store/link", ids={"inventory_system_id": inventory_system_id}, query={"limit": limit, "cursor": cursor})

    def get_store_link(
        self,
        inventory_system_id: int | str,
        store_id: int | str,
    ) -> Answer[types.GetStoreLinkAnswer]:
        """See one link. For users who have the system or the store."""
        return self._call("GET", "/api/v1/inventory/system/{inventory_system_id}/store/link/{store_id}", ids={"inventory_system_id": inventory_system_id, "store_id": store_id})

    def unlink_store(
        self,
        inventory_system_id: int | str,
        store_id: int | str,
    ) -> Answer[types.UnlinkStoreAnswer]:
        """End a link. For users who have the system or the store. The store’s waiting deliveries to the system end `discarded`."""
        return self._call("DELETE", "/api/v1/inventory/system/{inventory_system_id}/store/link/{store_id}", ids={"inventory_system_id": inventory_system_id, "store_id": store_id})

    def manage_webhook(
        self,
        body: types.WebhookManage,
        *,
        key: str | None = None,
    ) -> Answer[types.ManageWebhookAnswer]:
        """Register or change a webhook. An inventory system has one webhook for each type. A new URL starts with a clean record."""
        return self._call("POST", "/api/v1/inventory/system/webhook/manage", body=body, keyed=True, key=key)

    def enable_webhook(
        self,
        body: types.WebhookSelect,
        *,
        key: str | None = None,
    ) -> Answer[types.EnableWebhookAnswer]:
        """Enable a webhook. Deliveries that waited go out, oldest first."""
        return self._call("POST", "/api/v1/inventory/system/webhook/enable", body=body, keyed=True, key=key)

    def disable_webhook(
        self,
        body: types.WebhookSelect,
        *,
        key: str | None = None,
    ) -> Answer[types.DisableWebhookAnswer]:
        """Disable a webhook. Deliveries wait, `pending`, until it is enabled again."""
        return self._call("POST", "/api/v1/inventory/system/webhook/disable", body=body, keyed=True, key=key)

    def list_webhooks(
        self,
        inventory_system_id: int | str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListWebhooksAnswer]:
        """See the webhooks of a system and their health. At most one for each type. The secret is never shown, and of the headers only the names."""
        return self._call("GET", "/api/v1/inventory/system/{inventory_system_id}/webhook", ids={"inventory_system_id": inventory_system_id}, query={"limit": limit, "cursor": cursor})

    def delete_webhook(
        self,
        inventory_system_id: int | str,
        type: int | str,
    ) -> Answer[types.DeleteWebhookAnswer]:
        """Delete a webhook. Waiting deliveries end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues."""
        return self._call("DELETE", "/api/v1/inventory/system/{inventory_system_id}/webhook/{type}", ids={"inventory_system_id": inventory_system_id, "type": type})

    def rotate_webhook_secret(
        self,
        body: types.WebhookRotate,
        *,
        key: str | None = None,
    ) -> Answer[types.RotateWebhookSecretAnswer]:
        """Rotate a secret. Until the grace ends, both secrets sign. The new one is shown only this once."""
        return self._call("POST", "/api/v1/inventory/system/webhook/secret/rotate", body=body, keyed=True, key=key)

    def test_webhook(
        self,
        body: types.WebhookSelect,
        *,
        key: str | None = None,
    ) -> Answer[types.TestWebhookAnswer]:
        """Test a webhook. Sends a signed ping the normal way: type 1 with empty arrays, type 2 with zero quantities; `store_id` and `external_id` are `test`. Waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then."""
        return self._call("POST", "/api/v1/inventory/system/webhook/test", body=body, keyed=True, key=key)

    def manage_events_webhook(
        self,
        body: types.EventsWebhookManage,
        *,
        key: str | None = None,
    ) -> Answer[types.ManageEventsWebhookAnswer]:
        """Register or change the webhook for events. You have one such webhook. From then on it gets the events of your stores and of the systems that you created. A new URL starts with a clean record."""
        return self._call("POST", "/api/v1/events/webhook/manage", body=body, keyed=True, key=key)

    def rotate_events_secret(
        self,
        body: types.EventsWebhookRotate,
        *,
        key: str | None = None,
    ) -> Answer[types.RotateEventsSecretAnswer]:
        """Rotate the secret of the webhook for events. Until the grace ends, both secrets sign. The new one is shown only this once."""
        return self._call("POST", "/api/v1/events/webhook/secret/rotate", body=body, keyed=True, key=key)

    def enable_events_webhook(
        self,
        *,
        key: str | None = None,
    ) -> Answer[types.EnableEventsWebhookAnswer]:
        """Enable the webhook for events. Events that waited go out, oldest first."""
        return self._call("POST", "/api/v1/events/webhook/enable", keyed=True, key=key)

    def disable_events_webhook(
        self,
        *,
        key: str | None = None,
    ) -> Answer[types.DisableEventsWebhookAnswer]:
        """Disable the webhook for events. Events wait, `pending`, until it is enabled again."""
        return self._call("POST", "/api/v1/events/webhook/disable", keyed=True, key=key)

    def delete_events_webhook(
        self,
    ) -> Answer[types.DeleteEventsWebhookAnswer]:
        """Delete the webhook for events. Waiting events end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues."""
        return self._call("DELETE", "/api/v1/events/webhook")

    def get_events_webhook(
        self,
    ) -> Answer[types.GetEventsWebhookAnswer]:
        """See the webhook for events and its health. Its secret is never shown, and of its headers only the names."""
        return self._call("GET", "/api/v1/events/webhook")

    def test_events_webhook(
        self,
        *,
        key: str | None = None,
    ) -> Answer[types.TestEventsWebhookAnswer]:
        """Test the webhook for events. Sends a signed event `webhook.test` the normal way, waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then."""
        return self._call("POST", "/api/v1/events/webhook/test", keyed=True, key=key)

    def send_item_data(
        self,
        store_id: int | str,
        body: types.InventoryItemsEvent,
        *,
        key: str | None = None,
    ) -> Answer[types.SendItemDataAnswer200 | types.SendItemDataAnswer202]:
        """Report item data. Goes as a type 1 webhook to each linked inventory system that has registered for it. The request does not wait for the answers."""
        return self._call("POST", "/api/v1/pos/store/{store_id}/inventory/items", ids={"store_id": store_id}, body=body, keyed=True, key=key)

    def send_stock_movement(
        self,
        store_id: int | str,
        body: types.InventoryStockEvent,
        *,
        prefer: Literal["respond-async"] | None = None,
        key: str | None = None,
    ) -> Answer[types.SendStockMovementAnswer200 | types.SendStockMovementAnswer202]:
        """Report a stock movement. Goes as a type 2 webhook to each linked inventory system that has registered for it. The request waits for their answers, 5 s unless configured otherwise."""
        return self._call("POST", "/api/v1/pos/store/{store_id}/inventory/stock", ids={"store_id": store_id}, body=body, keyed=True, key=key, headers={"prefer": prefer})

    def update_pos_stock(
        self,
        store_id: int | str,
        body: types.PosStockUpdate,
        *,
        key: str | None = None,
    ) -> Answer[types.UpdatePosStockAnswer200 | types.UpdatePosStockAnswerDefault]:
        """Send a stock movement to the POS. From an inventory system to the POS of a store, forwarded at once. Any error of the POS is passed through unchanged, status and body, with `X-Error-Source: pos`; it can be any status.

        Send an `Idempotency-Key`: the POS gets it too, so that a retry after a 504 is safe."""
        return self._call("POST", "/api/v1/inventory/system/store/{store_id}/pos/stock/update", ids={"store_id": store_id}, body=body, keyed=True, key=key)

    def get_delivery(
        self,
        delivery_id: int | str,
    ) -> Answer[types.GetDeliveryAnswer]:
        """See one delivery. Includes its attempts, and the payload as it was sent last. For the owner of the inventory system, users of the store, and operators."""
        return self._call("GET", "/api/v1/webhooks/deliveries/{delivery_id}", ids={"delivery_id": delivery_id})

    def get_delivery_payload(
        self,
        delivery_id: int | str,
    ) -> Answer[types.GetDeliveryPayloadAnswer]:
        """See the payload of a delivery. The JSON as it was sent last, also if it is large."""
        return self._call("GET", "/api/v1/webhooks/deliveries/{delivery_id}/payload", ids={"delivery_id": delivery_id})

    def list_deliveries(
        self,
        *,
        inventory_system_id: str | None = None,
        events: bool | None = None,
        type: Literal["1", "2", "upload.ended", "rollout.ended", "availability.failed", "menu.drifted", "delivery.failed", "webhook.paused", "webhook.resumed", "webhook.disabled", "webhook.test"] | None = None,
        state: Literal["pending", "delivered", "acknowledged", "refused", "exhausted", "discarded"] | None = None,
        store_id: int | None = None,
        external_id: str | None = None,
        receiver_status: int | None = None,
        since: str | None = None,
        until: str | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Answer[types.ListDeliveriesAnswer]:
        """List deliveries. Newest first. With `events=true` the deliveries of your webhook for events, otherwise those to inventory systems. A page may have fewer entries than `limit`, even none, while `next_cursor` leads on: if few deliveries match the filter, each request searches only a part of the time."""
        return self._call("GET", "/api/v1/webhooks/deliveries", query={"inventory_system_id": inventory_system_id, "events": events, "type": type, "state": state, "store_id": store_id, "external_id": external_id, "receiver_status": receiver_status, "since": since, "until": until, "request_id": request_id, "limit": limit, "cursor": cursor})

    def resend_delivery(
        self,
        delivery_id: int | str,
        *,
        key: str | None = None,
    ) -> Answer[types.ResendDeliveryAnswer]:
        """Resend one delivery. Sends the same delivery with the same `webhook-id` and a new retry table."""
        return self._call("POST", "/api/v1/webhooks/deliveries/{delivery_id}/resend", ids={"delivery_id": delivery_id}, keyed=True, key=key)

    def resend_deliveries(
        self,
        body: types.DeliveryResend,
        *,
        key: str | None = None,
    ) -> Answer[types.ResendDeliveriesAnswer200 | types.ResendDeliveriesAnswer202]:
        """Resend deliveries by filter. Sends all ended deliveries of your own inventory systems that match; with `events` those of your webhook for events."""
        return self._call("POST", "/api/v1/webhooks/deliveries/resend", body=body, keyed=True, key=key)

    def live(
        self,
    ) -> Answer[types.LiveAnswer]:
        """Check that the process runs."""
        return self._call("GET", "/health/live")

    def ready(
        self,
    ) -> Answer[types.ReadyAnswer]:
        """Check that requests can be accepted. Depends on Postgres. Temporal and the age of the oldest due row are reported but do not affect readiness."""
        return self._call("GET", "/health/ready")

    def metrics(
        self,
    ) -> Answer[str]:
        """Metrics for Prometheus. If METRICS_PORT is set, they are served there instead."""
        return self._call("GET", "/metrics")

    def openapi(
        self,
    ) -> Answer[types.OpenapiAnswer]:
        """The OpenAPI document."""
        return self._call("GET", "/openapi.json")

    def docs(
        self,
    ) -> Answer[str]:
        """The page that shows it."""
        return self._call("GET", "/docs")
