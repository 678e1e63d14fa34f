// Written by generate.mjs from /openapi.json; do not edit.

export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See who you are
         * @description The user that the token belongs to, and the token without its secret.
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find anything by its id or name
         * @description What you may see, the closest first, at most 20: uploads, deliveries (also by their `webhook-id`), rollouts, stores and inventory systems by their id; what a request made, by its `X-Request-Id`; stores by what delivery apps call them; stores and inventory systems by words of their name; items that are off sale by their external id.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a menu
         * @description Waits for the outcome, 25 s unless configured otherwise, and answers 202 if there is none yet. Once the upload is stored, every answer has `X-Upload-Id` and `Location`: from then on it is carried out whatever happens to the connection.
         *
         *     Only the newest upload of a store and integration counts; older ones that wait are superseded.
         */
        post: operations["uploadMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change single items of the menus that a store shows
         * @description Makes a new version of each menu: the newest accepted one, else the live one, with the changes. It takes its place among the uploads of its store and integration. Goes to the named integrations, or to all that show a menu. Where an app has calls for it, and few enough do, the change goes by calls about single items (`way` is `items`), else with the whole menu. Waits for the outcome, 25 s unless configured otherwise. Of elements with the same ids the last counts.
         */
        post: operations["changeMenus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a menu
         * @description Returns what each delivery app would show, and what would be lost, with the messages of an upload. Nothing is stored, started or pushed. A loss names every difference between the menu as sent and `shown`. Without `check_images` only the URLs of images are checked.
         */
        post: operations["previewMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one upload
         * @description Includes its steps, the answer of the delivery app (`messages`), and the parts that the app will not show as sent (`losses`).
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploads
         * @description The uploads of your stores, newest first, without losses and steps, and with at most five messages. The URL of an upload returns all of it.
         */
        get: operations["listUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/menu": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the menu of an upload
         * @description The body as it was sent, including unknown members.
         */
        get: operations["getUploadMenu"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/payload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the payload that the delivery app was sent
         * @description The app’s own JSON, without tokens and secrets, and without what is off sale, which is written in when it is sent.
         */
        get: operations["getUploadPayload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/shown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See an upload as the delivery app shows it
         * @description Read back from the payload of the upload, in the form of a preview; `available` is what is on sale now.
         */
        get: operations["getUploadShown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what an upload changed
         * @description The changes from another menu to this one, both as they were sent, by POS id. The other menu is the one that was live before (`previous`), the one that is live now, or that of another upload. An upload that never went live is compared with the live menu. With `Accept: text/plain` each change is a line, and `Link` leads to the next page.
         */
        get: operations["getUploadChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/republish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the menu of an upload again
         * @description Uploads that menu again, in whichever state the old upload ended, with the same checks and answers as an upload.
         */
        post: operations["republishUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/uploads/{upload_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an upload
         * @description Possible while it waits, even for the next try of an app that is away. A waiting caller gets 409 `The upload was canceled.`
         */
        post: operations["cancelUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live menus
         * @description The menus that the delivery apps of a store show: one entry for each app that the store is connected to, the newest first.
         */
        get: operations["listLiveMenus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/live/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read back what is live
         * @description Reads the menu from the delivery app, never at the same time as a push to the store, and compares it with the menu that was sent. It ignores whether items are on sale.
         */
        post: operations["checkLiveMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items that are off sale
         * @description The items of your stores, newest first. `state` is that of the latest change: `failed` means that the item should be off sale, but the delivery app has not done it.
         */
        get: operations["listUnavailable"];
        put?: never;
        /**
         * Take items off sale, or put them back
         * @description At once, without a menu; options are items like others. An item stays off sale through later uploads, until it is put back or `until` passes. Goes to the named integrations, or to all that the store is connected to and that have shown a menu or have an item off sale that is put back, with one change for each. Waits for the outcome, 25 s unless configured otherwise. Per item the newest request counts.
         */
        post: operations["changeAvailability"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/availability/changes/{change_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one change of availability
         * @description The change is about items, or about a store that was paused or resumed (`kind`).
         */
        get: operations["getAvailabilityChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rollouts
         * @description The rollouts that you started, newest first.
         */
        get: operations["listRollouts"];
        put?: never;
        /**
         * Upload one menu to many stores
         * @description Up to 1,000 targets, `parallel` at once. The rules of the menu are checked once; a target for which an upload would be refused ends `refused`, and the others continue. Each target takes its place in the store’s queue at once: an upload that is accepted later wins there.
         */
        post: operations["startRollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/rollouts/{rollout_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See one rollout */
        get: operations["getRollout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/rollouts/{rollout_id}/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the targets of a rollout
         * @description In the order in which they were sent.
         */
        get: operations["listRolloutTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/rollouts/{rollout_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a rollout
         * @description Targets that have not started or are not being pushed end `canceled`; the others finish, and then the rollout ends.
         */
        post: operations["cancelRollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/menus/rollouts/{rollout_id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a rollout back
         * @description Wherever its menu is still live, the menu that was live before is published again. Allowed once, after the rollout has ended.
         */
        post: operations["revertRollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stores
         * @description The stores that you have, newest first; operators see all. With `q` only the store with this id, or those that a delivery app calls so; if there is none, those with each word of it somewhere in their name, case and accents aside.
         */
        get: operations["listStores"];
        put?: never;
        /**
         * Create a store
         * @description The new store is yours.
         */
        post: operations["createStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store/{store_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See one store */
        get: operations["getStore"];
        put?: never;
        post?: never;
        /**
         * Delete a store
         * @description For the user who created it and for operators. Nothing more is accepted for it, its links end, waiting uploads end `canceled` and waiting deliveries `discarded`; work in progress finishes, and the delivery apps stay as they are.
         */
        delete: operations["deleteStore"];
        options?: never;
        head?: never;
        /**
         * Change a store
         * @description Changes only the given fields; null clears the direction, the time zone, and both coordinates together.
         */
        patch: operations["changeStore"];
        trace?: never;
    };
    "/api/v1/store/{store_id}/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the delivery apps of a store
         * @description The delivery apps that the store is connected to, with the upload that is live there, and whether the store is paused.
         */
        get: operations["listStoreIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store/{store_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what happened to a store
         * @description Newest first: uploads, changes of what is off sale, pauses, rollouts, live menus that differ from what was sent, and webhooks about the store that failed. Of another user, `by` is null, except for operators and `support`.
         */
        get: operations["storeTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store/{store_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a store
         * @description It takes no orders in the named integrations, or in all that it is connected to, until it is resumed or `until` passes. Uploads do not start or end a pause, and neither does stock.
         */
        post: operations["pauseStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store/{store_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a store
         * @description It takes orders again in the named integrations, or in all that it is connected to.
         */
        post: operations["resumeStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store/{store_id}/special-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the special days of a store
         * @description Those that were set last and are not over, and how far each app is that was ever told some.
         */
        get: operations["getSpecialDays"];
        /**
         * Set the special days of a store
         * @description The days on which the store is closed or has other hours, in its time zone: they replace all earlier ones, and an empty list takes them away. Goes to the named integrations, or to all that the store is connected to, with one change for each. Waits for the outcome, 25 s unless configured otherwise.
         */
        put: operations["setSpecialDays"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an inventory system
         * @description You own the system that you create: its webhooks and their deliveries are yours.
         */
        post: operations["createInventorySystem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inventory systems
         * @description The systems that you created, newest first; operators see all.
         */
        get: operations["listInventorySystems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/{inventory_system_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See one inventory system */
        get: operations["getInventorySystem"];
        put?: never;
        post?: never;
        /**
         * Delete an inventory system
         * @description Its webhooks and links end with it; waiting deliveries end `discarded`.
         */
        delete: operations["deleteInventorySystem"];
        options?: never;
        head?: never;
        /** Rename an inventory system */
        patch: operations["changeInventorySystem"];
        trace?: never;
    };
    "/api/v1/inventory/system/store/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a store
         * @description Sets the store’s id in the inventory system. Linking again changes the id; a store may be linked to 64 systems. The link ends when neither who made it nor the system’s owner has the store any more; one made by an operator stays until it is ended.
         */
        post: operations["linkStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/{inventory_system_id}/store/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stores that a system is linked to
         * @description The newest store first.
         */
        get: operations["listStoreLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/{inventory_system_id}/store/link/{store_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one link
         * @description For users who have the system or the store.
         */
        get: operations["getStoreLink"];
        put?: never;
        post?: never;
        /**
         * End a link
         * @description For users who have the system or the store. The store’s waiting deliveries to the system end `discarded`.
         */
        delete: operations["unlinkStore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/webhook/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register or change a webhook
         * @description An inventory system has one webhook for each type. A new URL starts with a clean record.
         */
        post: operations["manageWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/webhook/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook
         * @description Deliveries that waited go out, oldest first.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/webhook/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a webhook
         * @description Deliveries wait, `pending`, until it is enabled again.
         */
        post: operations["disableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/{inventory_system_id}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the webhooks of a system and their health
         * @description At most one for each type. The secret is never shown, and of the headers only the names.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/{inventory_system_id}/webhook/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Waiting deliveries end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/webhook/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a secret
         * @description Until the grace ends, both secrets sign. The new one is shown only this once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends a signed ping the normal way: type 1 with empty arrays, type 2 with zero quantities; `store_id` and `external_id` are `test`. Waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register or change the webhook for events
         * @description You have one such webhook. From then on it gets the events of your stores and of the systems that you created. A new URL starts with a clean record.
         */
        post: operations["manageEventsWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of the webhook for events
         * @description Until the grace ends, both secrets sign. The new one is shown only this once.
         */
        post: operations["rotateEventsSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the webhook for events
         * @description Events that waited go out, oldest first.
         */
        post: operations["enableEventsWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the webhook for events
         * @description Events wait, `pending`, until it is enabled again.
         */
        post: operations["disableEventsWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the webhook for events and its health
         * @description Its secret is never shown, and of its headers only the names.
         */
        get: operations["getEventsWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete the webhook for events
         * @description Waiting events end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues.
         */
        delete: operations["deleteEventsWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the webhook for events
         * @description Sends a signed event `webhook.test` the normal way, waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then.
         */
        post: operations["testEventsWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/store/{store_id}/inventory/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report item data
         * @description Goes as a type 1 webhook to each linked inventory system that has registered for it. The request does not wait for the answers.
         */
        post: operations["sendItemData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/store/{store_id}/inventory/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a stock movement
         * @description Goes as a type 2 webhook to each linked inventory system that has registered for it. The request waits for their answers, 5 s unless configured otherwise.
         */
        post: operations["sendStockMovement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory/system/store/{store_id}/pos/stock/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a stock movement to the POS
         * @description From an inventory system to the POS of a store, forwarded at once. Any error of the POS is passed through unchanged, status and body, with `X-Error-Source: pos`; it can be any status.
         *
         *     Send an `Idempotency-Key`: the POS gets it too, so that a retry after a 504 is safe.
         */
        post: operations["updatePosStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See one delivery
         * @description Includes its attempts, and the payload as it was sent last. For the owner of the inventory system, users of the store, and operators.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/payload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the payload of a delivery
         * @description The JSON as it was sent last, also if it is large.
         */
        get: operations["getDeliveryPayload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first. With `events=true` the deliveries of your webhook for events, otherwise those to inventory systems. A page may have fewer entries than `limit`, even none, while `next_cursor` leads on: if few deliveries match the filter, each request searches only a part of the time.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend one delivery
         * @description Sends the same delivery with the same `webhook-id` and a new retry table.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend deliveries by filter
         * @description Sends all ended deliveries of your own inventory systems that match; with `events` those of your webhook for events.
         */
        post: operations["resendDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process runs */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that requests can be accepted
         * @description Depends on Postgres. Temporal and the age of the oldest due row are reported but do not affect readiness.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description If METRICS_PORT is set, they are served there instead.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The OpenAPI document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page that shows it */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/app-c/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * App C reports the end of a menu’s task
         * @description Unknown and repeated tasks are harmless.
         */
        post: operations["appCCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/app-d/{integration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * App D reports the decision about a menu
         * @description Registered in the app once for each event, as `?event=MENU_APPROVED` and `?event=MENU_REJECTED`. Repeats and stores without a waiting menu are harmless.
         */
        post: operations["appDCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    itemData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Type 1: item data of a POS */
        post: operations["itemDataMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    stockMovement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Type 2: a stock movement in a POS */
        post: operations["stockMovementMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "upload.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An upload has ended, in any state; without its losses. */
        post: operations["uploadEndedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A rollout has ended: done, stopped, canceled or reverted. */
        post: operations["rolloutEndedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "availability.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Items could not be taken off sale or put back, or a store could not be paused or resumed. */
        post: operations["availabilityFailedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "menu.drifted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A delivery app was read and shows another menu than the one that is live; once for each difference. */
        post: operations["menuDriftedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A delivery to an inventory system was refused or given up. */
        post: operations["deliveryFailedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A receiver keeps failing, so deliveries to it are paused. */
        post: operations["webhookPausedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A paused receiver works again, or has a new URL. */
        post: operations["webhookResumedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook was disabled: by its owner, by a 410, or after five days without a success. */
        post: operations["webhookDisabledMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its user asked for a test. */
        post: operations["webhookTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        MenuUpload: {
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Id of the integration: a delivery app as it is configured here. */
            integration_id: number | string;
            /** @description The menus. Only App A takes more than one. */
            menus: components["schemas"]["Menu"][];
            /** @description The categories that the menus name. */
            categories: components["schemas"]["Category"][];
            /** @description Everything that is sold, options included. */
            items: components["schemas"]["Item"][];
            /** @description The choices that items offer; may be empty. */
            modifier_groups: components["schemas"]["ModifierGroup"][];
        };
        ItemChanges: {
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Up to 100 integration ids. Default: all that show a menu of the store. */
            integration_ids?: (number | string)[] | null;
            /** @description What is to change of items, each by its `external_id`; with `options` 1 to 500 elements. */
            items?: components["schemas"]["ItemChange"][] | null;
            /** @description Prices of options in their groups. */
            options?: components["schemas"]["OptionPriceChange"][] | null;
        };
        MenuPreview: {
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Up to 20 integration ids. Default: all that the store is connected to. */
            integration_ids?: (number | string)[] | null;
            /** @description The menus. Only App A takes more than one. */
            menus: components["schemas"]["Menu"][];
            /** @description The categories that the menus name. */
            categories: components["schemas"]["Category"][];
            /** @description Everything that is sold, options included. */
            items: components["schemas"]["Item"][];
            /** @description The choices that items offer; may be empty. */
            modifier_groups: components["schemas"]["ModifierGroup"][];
        };
        LiveCheck: {
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Id of the integration: a delivery app as it is configured here. */
            integration_id: number | string;
        };
        AvailabilityChange: {
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Up to 100 integration ids. Default: all that the store is connected to and that have shown a menu, or where an item is off sale that is put back. */
            integration_ids?: (number | string)[] | null;
            /** @description The items that go off sale or come back on sale. If an id is repeated, the last entry counts. */
            items: {
                external_id: string;
                available: boolean;
                /** Format: date-time */
                until?: string | null;
            }[];
        };
        MenuRollout: {
            /** @description Where the menu goes: up to 1,000 places. */
            targets: {
                store_id: number | string;
                integration_id: number | string;
            }[];
            /** @description Maximum number of targets that are uploaded at once. */
            parallel?: number | null;
            /** @description After this many failed targets no new ones begin; 0 = no limit. */
            stop_after_failures?: number | null;
            /** @description The menus. Only App A takes more than one. */
            menus: components["schemas"]["Menu"][];
            /** @description The categories that the menus name. */
            categories: components["schemas"]["Category"][];
            /** @description Everything that is sold, options included. */
            items: components["schemas"]["Item"][];
            /** @description The choices that items offer; may be empty. */
            modifier_groups: components["schemas"]["ModifierGroup"][];
        };
        StoreCreate: {
            /** @description Must not be blank. */
            name: string;
            /**
             * Format: country-code
             * @description ISO 3166-1 alpha-2, upper or lower case.
             */
            country_code: string;
            /** @description How to find the store, in words. */
            direction?: string | null;
            /** @description In degrees. Both coordinates or neither. */
            latitude?: (number | null) | string;
            /** @description In degrees. Both coordinates or neither. */
            longitude?: (number | null) | string;
            /**
             * Format: time-zone
             * @description IANA name of the zone of the store. A `date` of a stock movement without an offset is read in it.
             */
            time_zone?: string | null;
        } & (unknown & unknown);
        StoreChange: {
            /** @description Must not be blank. */
            name?: string;
            /**
             * Format: country-code
             * @description ISO 3166-1 alpha-2, upper or lower case.
             */
            country_code?: string;
            /** @description How to find the store, in words. */
            direction?: string | null;
            /** @description In degrees. Both coordinates or neither. */
            latitude?: (number | null) | string;
            /** @description In degrees. Both coordinates or neither. */
            longitude?: (number | null) | string;
            /**
             * Format: time-zone
             * @description IANA name of the zone of the store. A `date` of a stock movement without an offset is read in it.
             */
            time_zone?: string | null;
            /**
             * @description If on, an item whose stock reaches zero goes off sale, starting with the next movement. Turning it off puts back on sale the items that stock had taken off.
             * @enum {string}
             */
            availability_from_stock?: "off" | "on";
        } & (unknown & unknown & unknown & unknown);
        StorePause: {
            /** @description Up to 100 integration ids. Default: all that the store is connected to. */
            integration_ids?: (number | string)[] | null;
            /**
             * Format: date-time
             * @description In a body, when it ends by itself: an ISO 8601 date-time with offset, at most a year ahead. In a query, only what happened before then.
             */
            until?: string | null;
            /** @description The reason, shown to the delivery app. */
            reason?: string | null;
        };
        StoreResume: {
            /** @description Up to 100 integration ids. Default: all that the store is connected to. */
            integration_ids?: (number | string)[] | null;
        };
        SpecialDays: {
            /** @description Up to 100 integration ids. Default: all that the store is connected to. */
            integration_ids?: (number | string)[] | null;
            /** @description All of them, each date once; an empty list takes them away. */
            days: {
                /** Format: date */
                date: string;
                closed?: boolean | null;
                periods?: {
                    start: string;
                    end: string;
                }[] | null;
                name?: string | null;
            }[];
        };
        InventorySystemCreate: {
            /** @description Must not be blank. */
            name: string;
        };
        InventorySystemChange: {
            /** @description Must not be blank. */
            name?: string;
        };
        StoreLink: {
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id: string;
            /** @description Id of the store in the platform. */
            store_id: number | string;
            /** @description Id of the store in the inventory system; webhooks send it as `store_id`. */
            external_store_id: string;
        };
        WebhookManage: {
            /** @description 1 POS item data, 2 stock movements. */
            type: (1 | 2) | ("1" | "2");
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id: string;
            /**
             * Format: uri
             * @description Where the webhooks go: https, a public address, no credentials, no fragment.
             */
            url: string;
            /** @description Maximum concurrent requests. Default: 20; once set, it is kept. */
            max_in_flight?: number | null;
            /** @description Maximum attempts per second, retries and probes included. `null` removes the limit. */
            max_per_second?: number | null;
            /** @description Up to 10 headers to send with each request. `null` or `{}` removes them; if absent, they are kept. Stored encrypted and never shown again. */
            headers?: Record<string, never> | null;
        };
        WebhookSelect: {
            /** @description 1 POS item data, 2 stock movements. */
            type: (1 | 2) | ("1" | "2");
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id: string;
        };
        WebhookRotate: {
            /** @description 1 POS item data, 2 stock movements. */
            type: (1 | 2) | ("1" | "2");
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id: string;
            /** @description How long the old secret still signs too. Default: one day. */
            grace_seconds?: number | null;
        };
        EventsWebhookManage: {
            /**
             * Format: uri
             * @description Where the webhooks go: https, a public address, no credentials, no fragment.
             */
            url: string;
            /** @description The events to send. `null` means all. If absent, the setting is kept; a new webhook gets all. */
            events?: ("upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled")[] | null;
            /** @description Maximum concurrent requests. Default: 20; once set, it is kept. */
            max_in_flight?: number | null;
            /** @description Maximum attempts per second, retries and probes included. `null` removes the limit. */
            max_per_second?: number | null;
            /** @description Up to 10 headers to send with each request. `null` or `{}` removes them; if absent, they are kept. Stored encrypted and never shown again. */
            headers?: Record<string, never> | null;
        };
        EventsWebhookRotate: {
            /** @description How long the old secret still signs too. Default: one day. */
            grace_seconds?: number | null;
        };
        InventoryItemsEvent: {
            /** @description Units of measurement as the POS has them; passed on unchanged. */
            units: unknown[];
            /** @description Items as the POS has them; passed on unchanged. */
            items: unknown[];
            /** @description Suppliers as the POS has them; passed on unchanged. */
            suppliers: unknown[];
        };
        InventoryStockEvent: {
            /** @description Id of the item in the POS. */
            external_id: string;
            /** @description Stock after the movement, as a decimal string. */
            current_stock: string;
            /** @description The amount that was added or removed, as a decimal string. */
            quantity: string;
            /**
             * Format: iso-date
             * @description ISO 8601, a date or a date-time; passed on unchanged.
             */
            date: string;
            /** @description 1 adds, 2 removes. */
            movement_type: (1 | 2) | ("1" | "2");
        };
        PosStockUpdate: {
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id: string;
            /** @description Id of the POS; it must be that of the store. */
            pos_id: number | string;
            /** @description Stock after the movement, as a decimal string. */
            current_stock: string;
            /** @description The amount that was added or removed, as a decimal string. */
            quantity: string;
            /**
             * Format: iso-date
             * @description ISO 8601, a date or a date-time; passed on unchanged.
             */
            date: string;
            /** @description 1 adds, 2 removes. */
            movement_type: (1 | 2) | ("1" | "2");
            /** @description Id of the item in the POS. */
            external_id: string;
        };
        DeliveryResend: {
            /** @description Id of the inventory system, a UUID; it must be yours. */
            inventory_system_id?: string | null;
            /** @description 1 POS item data, 2 stock movements; with `events`, the type of an event. */
            type?: (1 | 2) | ("1" | "2" | "upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled" | "webhook.test") | null;
            /** @description Resends deliveries of your webhook for events instead of those of your inventory systems. */
            events?: boolean | null;
            /** @description Returns only entries in this state. */
            state?: ("pending" | "delivered" | "acknowledged" | "refused" | "exhausted" | "discarded") | null;
            /** @description Resends only deliveries about this store. */
            store_id?: number | string | null;
            /** @description Resends only stock movements of this item, by its id in the POS. */
            external_id?: string | null;
            /** @description Resends only deliveries to which the receiver answered this last. */
            receiver_status?: number | null;
            /**
             * Format: date-time
             * @description Resends only what was created from then on: an ISO 8601 date-time with offset.
             */
            since?: string | null;
            /**
             * Format: date-time
             * @description Resends only what was created before: an ISO 8601 date-time with offset.
             */
            until?: string | null;
            /** @description Resends only what the request with this `X-Request-Id` made. */
            request_id?: string | null;
            /** @description Counts the matching deliveries without sending them. */
            dry_run?: boolean | null;
        };
        /** @description A menu as guests see it. */
        Menu: {
            /** @description Unique among the menus. */
            identifier: string;
            name: string;
            description?: string | null;
            /** @description Ids of `categories`. */
            category_external_ids: string[];
            schedules: components["schemas"]["Schedule"][];
        };
        /** @description The hours of one day of the week. Periods of one day must not overlap; touching is fine. */
        Schedule: {
            /** @enum {string} */
            day_of_week: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            periods: components["schemas"]["Period"][];
        };
        /** @description From start to end; start is before end, so that a night is two periods. */
        Period: {
            /** @description `hh:mm`, the clock of the store. */
            start: string;
            /** @description `hh:mm`, the clock of the store. */
            end: string;
        };
        /** @description A part of a menu. */
        Category: {
            external_id: string;
            name: string;
            description?: string | null;
            data_items: components["schemas"]["DataItem"][];
        };
        /** @description An item in a category. */
        DataItem: {
            /** @description Id of one of `items`. */
            item_external_id: string;
            /** @description Instead of the item’s own; the first one in a menu counts. */
            price?: components["schemas"]["Price"] | null;
        };
        /** @description Something that is sold, alone or as an option. */
        Item: {
            external_id: string;
            name: string;
            description?: string | null;
            /** @description App A: https, JPEG, PNG or GIF under 10 MB, 320–1144 px wide and high. */
            image_url?: string | null;
            /** @description Instead of the menu’s. */
            schedules?: components["schemas"]["Schedule"][] | null;
            price: components["schemas"]["Price"];
            data_modifier_groups: components["schemas"]["DataModifierGroup"][];
            /** @description False: off sale from its first minute, until a change of availability ends it. */
            available?: boolean | null;
            /** @description With `available: false`: ISO 8601 with an offset, in the future and within a year. */
            unavailable_until?: string | null;
            /** @description The first day on which it is on sale, `yyyy-MM-dd` in the store’s time zone, which it then needs. */
            visible_from?: string | null;
            /** @description The last day on which it is on sale, alike. */
            visible_until?: string | null;
            details?: components["schemas"]["ItemDetails"] | null;
        };
        /** @description What is known of an item beside its name, price and choices. A loss `detail_ignored` names what an app does not show. */
        ItemDetails: {
            tax?: {
                /** @description Hundredths of a percent, to 10000: 16 % is `"1600"`. */
                rate: string;
                /** @description In the price; if absent, it is. */
                included?: boolean | null;
                /** @description Hundredths of a percent, to 20000. */
                excise_rate?: string | null;
            } | null;
            tax_labels?: string[] | null;
            alcohol?: {
                /** @description To 99; `"0"` states that there is none. */
                units: string;
                /** @description Hundredths of a percent, to 10000: 5 % is `"500"`. */
                by_volume?: string | null;
            } | null;
            /** @description Counts as a meal where alcohol needs one. */
            serves_alone?: boolean | null;
            allergens?: ("celery" | "crustaceans" | "eggs" | "fish" | "gluten" | "lupin" | "milk" | "molluscs" | "mustard" | "peanuts" | "sesame" | "soy" | "sulphites" | "tree_nuts")[] | null;
            diets?: ("vegan" | "vegetarian" | "gluten_free" | "halal" | "kosher" | "dairy_free" | "nut_free")[] | null;
            calories?: {
                /** @description To 99999. */
                from?: string | null;
                /** @description To 99999, and not below `from`. */
                to?: string | null;
            } | null;
            /** @description A GTIN; its check digit must be right. */
            barcode?: string | null;
            bundled_items?: {
                /** @description Id of one of `items`. */
                item_external_id: string;
                /** @description 1 to 99. */
                quantity: string;
            }[] | null;
            deposit?: {
                /** @description Above 0, as in a price. */
                value: string;
            } | null;
        };
        /** @description Digits with two implied decimals: `"1030"` is 10.30, and 12000 of a currency without decimals is `"1200000"`. */
        Price: {
            /** @description Above 0; of what is free 0, or absent. */
            value?: string | null;
            /** @description Only App C has such prices; what is free has none. */
            promotion_value?: string | null;
            /** @description True: it costs nothing. */
            free?: boolean | null;
        };
        /** @description A choice that an item offers. */
        DataModifierGroup: {
            /** @description Id of one of `modifier_groups`. */
            modifier_group_external_id: string;
            /** @description Instead of the group’s own. */
            quantity?: components["schemas"]["GroupQuantity"] | null;
        };
        /** @description A choice and its options. Groups must not lead back to themselves. */
        ModifierGroup: {
            external_id: string;
            name: string;
            quantity: components["schemas"]["GroupQuantity"];
            data_options: components["schemas"]["DataOption"][];
        };
        /** @description One option of a group. */
        DataOption: {
            /** @description Id of one of `items`. */
            item_external_id: string;
            /** @description Instead of the item’s own. */
            price?: components["schemas"]["Price"] | null;
            /** @description Only App A has these. */
            quantity?: components["schemas"]["Quantity"] | null;
        };
        /** @description How many may be chosen: `exactly`, or a minimum and a maximum, both included. A minimum of `"0"` makes the choice optional. */
        Quantity: {
            min_quantity?: string | null;
            /** @description Above the minimum. */
            max_quantity?: string | null;
            /** @description In place of both: the choice has neither. */
            exactly?: string | null;
        };
        /** @description How many options of a group may be chosen in all, and how many of them cost nothing. */
        GroupQuantity: {
            min_quantity?: string | null;
            /** @description Above the minimum. */
            max_quantity?: string | null;
            /** @description In place of both: the choice has neither. */
            exactly?: string | null;
            /** @description At most the maximum; each further unit costs its price. */
            free_quantity?: string | null;
        };
        /** @description What is to change of one item. What is absent stays; null clears what is optional. */
        ItemChange: {
            external_id: string;
            name?: string;
            description?: string | null;
            image_url?: string | null;
            /** @description In place of the item’s, its promotion too. */
            price?: components["schemas"]["Price"];
            /** @description Null: in no menu another price than the item’s. */
            prices_by_menu?: components["schemas"]["MenuPriceChange"][] | null;
            /** @description Each member in place of the item’s; null clears it. */
            details?: components["schemas"]["ItemDetails"] | null;
        };
        /** @description The price of an item in one menu. */
        MenuPriceChange: {
            /** @description Of the menu. */
            identifier: string;
            /** @description Null: the item’s own. */
            price: components["schemas"]["Price"] | null;
        };
        /** @description The price of an option in one group. */
        OptionPriceChange: {
            modifier_group_external_id: string;
            item_external_id: string;
            /** @description Null: the item’s own. */
            price: components["schemas"]["Price"] | null;
        };
        /** @enum {string} */
        UploadState: "queued" | "running" | "uploaded" | "partly_uploaded" | "failed" | "superseded" | "canceled";
        /** @enum {string} */
        UploadStepName: "token" | "transform" | "images" | "items" | "push" | "confirm" | "availability";
        /** @enum {string} */
        UploadStepState: "pending" | "running" | "done" | "failed" | "skipped";
        /** @enum {string} */
        LossSeverity: "block" | "warn" | "info";
        /**
         * @description 1 POS item data, 2 stock movements.
         * @enum {integer}
         */
        WebhookType: 1 | 2;
        /**
         * @description The type of a platform event.
         * @enum {string}
         */
        EventType: "upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled" | "webhook.test";
        /** @enum {string} */
        WebhookState: "enabled" | "disabled";
        /** @enum {string} */
        WebhookDisabledReason: "gone" | "failing" | "manual" | "owner_inactive";
        /** @enum {string} */
        WaitingReason: "app_unavailable" | "app_busy" | "token" | "approval" | "earlier_menu" | "image_host" | "receiver_failing" | "receiver_busy" | "paused" | "disabled" | "our_side" | "temporal" | "permit";
        WaitingFor: {
            reason: components["schemas"]["WaitingReason"];
            /** @description What the delivery app or the receiver said last, or our own sentence. */
            message: string;
            /**
             * Format: date-time
             * @description When the wait for this reason began.
             */
            since: string;
            /** @description Tries in vain. */
            attempts: number;
            /**
             * Format: date-time
             * @description Null: it depends on something else, or a try is under way.
             */
            next_attempt_at: string | null;
        };
        /** @enum {string} */
        DeliveryState: "pending" | "delivered" | "acknowledged" | "refused" | "exhausted" | "discarded";
        TimelineEntry: {
            /**
             * Format: date-time
             * @description When it was asked for or found; of a webhook, when it failed.
             */
            at: string;
            /** @enum {string} */
            kind: "upload" | "availability" | "pause" | "rollout" | "drift" | "delivery";
            /** @description A sentence for a person. */
            title: string;
            /** @description As the thing itself has it now: of an upload, a change, a rollout, a reading, a delivery. */
            state: string;
            /** @description Who did it. Null: nobody did, or it was another user, whom operators and `support` see. */
            by: {
                user_id: string;
                name: string;
            } | null;
            /** @description Where the API has it. Null: you would not see it there. */
            url: string | null;
        };
        /** @description Every sentence that applies: at most 50, then one that says how many more there are. */
        Error: {
            message: string[];
            data: null;
        };
        /** @description Field → sentences. Nested fields use dots. */
        FieldErrors: {
            [key: string]: string[];
        };
        /** @description RFC 9457, for clients that send `Accept: application/problem+json`. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description A stable code for programs. */
            code: string;
            /** @description At most 50. If there are more, the first of every sentence comes first; `omitted` has the others. */
            errors: {
                code: string;
                /** @description JSON Pointer into the body; empty for what has no place in it. */
                pointer: string;
                detail: string;
                /** @description That of the nearest menu, category, item or modifier group that has one. */
                external_id?: string;
                /** @description The refused value, of its own type, a text cut after 100 characters; absent for a missing one, a long object or list, and what may be a secret. */
                value?: unknown;
                /** @description What to write, where a form is wanted. */
                hint?: string;
            }[];
            /** @description Only if `errors` does not have all: the others by sentence. */
            omitted?: {
                detail: string;
                count: number;
            }[];
        };
        /** @description A message, and nothing else to know. */
        Done: {
            message: string;
            data: null;
        };
        AcceptedUpload: {
            upload_id: string;
            /** @description The path of the upload’s status. */
            status_url: string;
        };
        AcceptedRollout: {
            rollout_id: string;
            /** @description The path of the rollout’s status. */
            status_url: string;
        };
        /** @description One upload for each integration. */
        MenuChangeOutcomes: {
            changes: components["schemas"]["MenuChangeOutcome"][];
        };
        /** @description One change for each integration. */
        ChangeOutcomes: {
            changes: components["schemas"]["ChangeOutcome"][];
        };
        /** @description One delivery for each linked system with a webhook. */
        EventDeliveries: {
            deliveries: components["schemas"]["EventDelivery"][];
        };
        /** @description One delivery for each linked system with a webhook. */
        EventDeliveryOutcomes: {
            deliveries: components["schemas"]["EventDeliveryOutcome"][];
        };
        PayloadAnswer: {
            message: string;
            /** @description In the form of the delivery app, or as the receiver got it. */
            data: unknown;
        };
        ResentDeliveries: {
            /** @description How many deliveries. */
            count: number;
        };
        RotatedSecret: {
            /** @description Shown this once. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then the old one signs too.
             */
            previous_valid_until: string | null;
            /** @description The earlier secrets that still sign, the newest first; at most four. */
            previous: {
                /** Format: date-time */
                valid_until: string;
            }[];
        };
        /** @description How many losses of each severity, those included that were left out of the list. */
        LossCounts: {
            block: number;
            warn: number;
            info: number;
        };
        /** @description GeoJSON: longitude first. */
        LocationPoint: {
            /** @constant */
            type: "Point";
            coordinates: number[];
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            /** @enum {string} */
            postgres: "ok" | "unreachable" | "read_only" | "schema_behind";
            stopping: boolean;
            /** @enum {string} */
            temporal: "ok" | "unreachable";
            oldest_due_seconds: number | null;
            /** @description The clock of this process minus that of the database; null until that is known. */
            clock_skew_seconds: number | null;
        };
        UploadSummary: {
            upload_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            state: components["schemas"]["UploadState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            loss_counts: components["schemas"]["LossCounts"];
            /** @description The upload whose menu was sent again. */
            republished_from: string | null;
            /** @description The rollout that it is part of. */
            rollout_id: string | null;
            /** @description The user who sent it. */
            user_id: string;
            /** @description The `X-Request-Id` of the request that made it. */
            request_id: string;
            /** @description The run in the Temporal UI. */
            trace_url: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            /** @description The first five; all are at the upload’s own URL. */
            messages: string[];
            /** @description Only of a change of single items: the upload on whose menu it was made. */
            changed_from?: string;
        };
        UploadEnd: {
            upload_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            state: components["schemas"]["UploadState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            loss_counts: components["schemas"]["LossCounts"];
            /** @description The upload whose menu was sent again. */
            republished_from: string | null;
            /** @description The rollout that it is part of. */
            rollout_id: string | null;
            /** @description The user who sent it. */
            user_id: string;
            /** @description The `X-Request-Id` of the request that made it. */
            request_id: string;
            /** @description The run in the Temporal UI. */
            trace_url: string | null;
            messages: string[];
            steps: components["schemas"]["UploadStep"][];
            /** @description Only of a change of single items: the upload on whose menu it was made. */
            changed_from?: string;
        };
        Upload: {
            upload_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            state: components["schemas"]["UploadState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            loss_counts: components["schemas"]["LossCounts"];
            /** @description The upload whose menu was sent again. */
            republished_from: string | null;
            /** @description The rollout that it is part of. */
            rollout_id: string | null;
            /** @description The user who sent it. */
            user_id: string;
            /** @description The `X-Request-Id` of the request that made it. */
            request_id: string;
            /** @description The run in the Temporal UI. */
            trace_url: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            /** @description Until it ends, what `waiting_for` says. */
            messages: string[];
            /** @description The most severe first. At most 1,000, then `losses_omitted` says how many were left out. */
            losses: components["schemas"]["Loss"][];
            steps: components["schemas"]["UploadStep"][];
            /** @description Only of a change of single items: the upload on whose menu it was made. */
            changed_from?: string;
        };
        MenuChangeOutcome: {
            /** @description Null: there is nothing to change there. */
            upload_id: string | null;
            /** @description As it was named in the request. */
            integration_id: string;
            state: components["schemas"]["UploadState"];
            way: ("items" | "menu") | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            messages: string[];
        };
        UploadStep: {
            name: components["schemas"]["UploadStepName"];
            state: components["schemas"]["UploadStepState"];
            attempts: number;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            answer?: components["schemas"]["AppAnswer"];
        };
        /** @description What the delivery app answered when a step failed. */
        AppAnswer: {
            status: number | null;
            /** @description Why there was no complete answer. */
            error: string | null;
            /** @description Its first 2,000 characters, secrets blacked out. */
            body: string | null;
        };
        /** @description Something that the delivery app will not show as it was sent. `block` stopped the upload. */
        Loss: {
            code: string;
            severity: components["schemas"]["LossSeverity"];
            /** @description JSON Pointer into the body of the upload; empty for `losses_omitted`, and for a field beside the menu. */
            pointer: string;
            /** @description Null where `pointer` is empty. */
            external_id: string | null;
            message: string;
        };
        /** @description One integration’s view of a menu. */
        PreviewResult: {
            integration_id: string;
            /** @description Null for an unknown integration. */
            app: string | null;
            /** @description Whether an upload of this menu would be sent to the app. */
            acceptable: boolean;
            /** @description Why the integration would refuse the menu, with the messages of an upload. */
            messages: string[];
            losses: components["schemas"]["Loss"][];
            /** @description How much the app would show; null if nothing would be sent. */
            counts: components["schemas"]["ShownCounts"] | null;
            payload_bytes: number | null;
            /** @description With `include=shown`. */
            shown?: components["schemas"]["Shown"] | null;
            /** @description With `include=payload`: the app’s own JSON. */
            payload?: Record<string, never> | null;
            /** @description With `include=changes`: the first 100. */
            changes?: components["schemas"]["MenuChanges"] | null;
        };
        ShownCounts: {
            menus: number;
            categories: number;
            items: number;
            modifier_groups: number;
            options: number;
            images: number;
        };
        /** @description What guests see, read back out of what the app is sent, in one form for all apps. Copies have ids of the app’s. */
        Shown: {
            menus: {
                identifier: string;
                name: string;
                description: string | null;
                hours: components["schemas"]["ShownHours"][];
                categories: {
                    external_id: string;
                    name: string;
                    description: string | null;
                    items: string[];
                }[];
            }[];
            items: components["schemas"]["ShownItem"][];
            modifier_groups: {
                external_id: string;
                min: number;
                max: number;
                name: string;
                options: {
                    external_id: string;
                    /** @description Digits with two implied decimals. */
                    price: string;
                    promotion_price: string | null;
                    min: number | null;
                    max: number | null;
                }[];
            }[];
        };
        ShownItem: {
            external_id: string;
            name: string;
            description: string | null;
            image_url: string | null;
            /** @description Digits with two implied decimals. */
            price: string;
            promotion_price: string | null;
            prices_by_menu: {
                identifier: string;
                /** @description Digits with two implied decimals. */
                price: string;
                promotion_price: string | null;
            }[];
            /** @description Null for an item without hours of its own. */
            hours: components["schemas"]["ShownHours"][] | null;
            available: boolean;
            modifier_groups: {
                external_id: string;
                min: number;
                max: number;
                /** @description Units that cost nothing; absent without. */
                free_quantity?: number;
            }[];
            /** @description What the app shows of the details; absent without. */
            details?: components["schemas"]["ItemDetails"];
        };
        ShownHours: {
            /** @enum {string} */
            day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            periods: components["schemas"]["Period"][];
        };
        /** @description What makes one menu of another, both as they were sent. */
        MenuChanges: {
            /** @description The upload that is compared with. Null: there was none, so everything counts as added. */
            against: string | null;
            counts: components["schemas"]["ChangeCounts"];
            changes: components["schemas"]["MenuChange"][];
        };
        ChangeCounts: {
            added: number;
            removed: number;
            changed: number;
        };
        /** @description By POS id, never by position. A list whose order changed is one change with `field` `order`. */
        MenuChange: {
            /** @enum {string} */
            op: "added" | "removed" | "changed";
            /** @enum {string} */
            kind: "menu" | "category" | "item" | "modifier_group" | "option";
            /** @description Null if the order of one of the menu’s own lists changed. */
            external_id: string | null;
            /** @description The parent, if a reference to the entity changed. */
            within?: string;
            /** @description The field that changed, such as `price.value`. */
            field?: string;
            /** @description The old value of the field, or the whole entity if it was removed. */
            before?: unknown;
            /** @description The new value of the field, or the whole entity if it was added. */
            after?: unknown;
        };
        /** @enum {string} */
        RolloutState: "running" | "done" | "stopped" | "canceled" | "reverting" | "reverted";
        /** @enum {string} */
        TargetState: "waiting" | "queued" | "running" | "uploaded" | "partly_uploaded" | "failed" | "superseded" | "canceled" | "refused";
        Rollout: {
            rollout_id: string;
            state: components["schemas"]["RolloutState"];
            parallel: number;
            /** @description 0: never. */
            stop_after_failures: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Targets by state. */
            counts: {
                waiting: number;
                queued: number;
                running: number;
                uploaded: number;
                partly_uploaded: number;
                failed: number;
                superseded: number;
                canceled: number;
                refused: number;
            };
            /** @description The targets by their state since the rollout was taken back; null before. */
            revert: {
                waiting: number;
                reverted: number;
                failed: number;
                not_live: number;
                without_previous: number;
            } | null;
        };
        RolloutTarget: {
            /** @description As it was sent, if it names no store. */
            store_id: number | string;
            integration_id: string;
            state: components["schemas"]["TargetState"];
            /** @description Null where no upload could be made. */
            upload_id: string | null;
            /** @description Why its upload has not ended. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            messages: string[];
            /** @description Whether the app shows the menu of the rollout. */
            live: boolean;
        };
        CreatedStore: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description The country’s English name. */
            country: string;
            direction: string | null;
            location_point: components["schemas"]["LocationPoint"] | null;
            /** @description IANA name. */
            time_zone: string | null;
        };
        Store: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description The country’s English name. */
            country: string;
            direction: string | null;
            location_point: components["schemas"]["LocationPoint"] | null;
            /** @description IANA name. */
            time_zone: string | null;
            /** @enum {string} */
            availability_from_stock: "off" | "on";
        };
        Found: {
            /** @enum {string} */
            kind: "store" | "upload" | "delivery" | "rollout" | "inventory_system" | "item";
            /** @description Of an item its external id. */
            id: string;
            /** @description What it is called, for people. */
            title: string;
            /** @description Null for what has no states. */
            state: string | null;
            /** @description The path where the API has it. */
            url: string;
        };
        InventorySystem: {
            /** Format: uuid */
            inventory_system_id: string;
            inventory_system_details: {
                name: string;
            };
        };
        StoreLinkAnswer: {
            /** Format: uuid */
            inventory_system_id: string;
            /** Format: int64 */
            store_id: number;
            external_store_id: string;
        };
        StoreIntegration: {
            integration_id: string;
            name: string;
            /** @description The delivery app. */
            app: string;
            active: boolean;
            /** @description Whether the store has a credential for this app. */
            has_token: boolean;
            /** @description The store’s id in the delivery app. */
            delivery_id: string | null;
            /** @description The upload that the app shows. */
            live_upload_id: string | null;
            /** @description Null: the store takes orders there. */
            paused: components["schemas"]["StorePauseState"] | null;
        };
        LiveMenu: {
            integration_id: string;
            /** @description Null if no menu has been live yet. */
            upload_id: string | null;
            /** Format: date-time */
            live_since: string | null;
            drift: components["schemas"]["Drift"];
        };
        CheckedMenu: {
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            upload_id: string | null;
            /** Format: date-time */
            live_since: string | null;
            drift: components["schemas"]["Drift"];
            /** @description The first ones, in the form of the changes between two uploads. */
            changes: Record<string, never>[];
        };
        /** @description Whether the app still showed this menu when it was read last. */
        Drift: {
            /** @enum {string} */
            state: "unknown" | "same" | "changed" | "unreadable";
            /** Format: date-time */
            checked_at: string | null;
            changes_count: number | null;
        };
        /**
         * @description `superseded`: newer changes took its place, or its time had passed.
         * @enum {string}
         */
        ChangeState: "queued" | "running" | "done" | "failed" | "superseded";
        ChangeOutcome: {
            change_id: string;
            /** @description As it was named in the request. */
            integration_id: string;
            state: components["schemas"]["ChangeState"];
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            /** @description Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale. */
            messages: string[];
            /** @description Only of a pause or its end: the reason that was given. */
            reason?: string | null;
        };
        AvailabilityChangeView: {
            change_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            /** @enum {string} */
            kind: "items" | "pause" | "special_days";
            state: components["schemas"]["ChangeState"];
            /** @description Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale. */
            messages: string[];
            /** @description Empty for a change of the whole store. */
            items: components["schemas"]["ChangedItem"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            /** @description Only of a pause or its end: the reason that was given. */
            reason?: string | null;
        };
        AvailabilityChangeEnd: {
            change_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            /** @enum {string} */
            kind: "items" | "pause" | "special_days";
            state: components["schemas"]["ChangeState"];
            /** @description Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale. */
            messages: string[];
            /** @description Empty for a change of the whole store. */
            items: components["schemas"]["ChangedItem"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Only of a pause or its end: the reason that was given. */
            reason?: string | null;
        };
        ChangedItem: {
            external_id: string;
            /**
             * @description `queued`, `running`: the app has not been told, or has not answered.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "superseded";
            message: string | null;
        };
        UnavailableItem: {
            external_id: string;
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            /**
             * Format: date-time
             * @description Null: until it is put back on sale, or for good if its season is over.
             */
            until: string | null;
            /** Format: date-time */
            since: string;
            /**
             * @description The holder that keeps it off sale; of several, the first in this order.
             * @enum {string}
             */
            source: "api" | "stock" | "season";
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            /** @description What the delivery app said, or why it was not possible; while it waits, what for. */
            message: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
        };
        StoreSpecialDays: {
            /** @description Those that were set last and are not over, as they were sent. */
            days: components["schemas"]["SpecialDay"][];
            integrations: components["schemas"]["SpecialDaysInApp"][];
        };
        /** @description Closed, or open in these periods only. */
        SpecialDay: {
            /** Format: date */
            date: string;
            closed?: boolean;
            periods?: {
                start: string;
                end: string;
            }[];
            name?: string;
        };
        SpecialDaysInApp: {
            integration_id: string;
            state: components["schemas"]["ChangeState"];
            /** @description Why it failed or waits. */
            message: string | null;
        };
        StorePauseState: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string | null;
            reason: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
        };
        Webhook: {
            type: components["schemas"]["WebhookType"];
            /** Format: uuid */
            inventory_system_id: string;
            url: string;
            state: components["schemas"]["WebhookState"];
            /** @description The receiver answered 410, five days passed without a success, its owner disabled it, or its owner is deactivated. */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
        };
        WebhookHealth: {
            type: components["schemas"]["WebhookType"];
            url: string;
            state: components["schemas"]["WebhookState"];
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            max_in_flight: number;
            /** @description Null: no limit. */
            max_per_second: number | null;
            /** @description Names of the headers that are sent with each request; their values are never shown. */
            header_names: string[];
            health: components["schemas"]["HealthFigures"];
        };
        HealthFigures: {
            consecutive_failures: number;
            /** Format: date-time */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Nothing is sent until then: ten attempts in a row failed, or the receiver asked for it by Retry-After. If it is in the past, the next attempt is a probe.
             */
            paused_until: string | null;
            /** @description How many deliveries wait, counted up to 10,000. */
            pending: number;
            /** Format: date-time */
            oldest_pending_at: string | null;
            /**
             * Format: date-time
             * @description The latest success among the newest 1,000 deliveries.
             */
            last_success_at: string | null;
            /** @description How many attempts were made in the last hour, for deliveries that were made in it or still wait; beyond 1,000 deliveries an estimate from the newest. */
            attempts_1h: number;
            /** @description How many of them failed. */
            failures_1h: number;
            /** @description Median duration of these attempts. */
            p50_ms: number | null;
            /** @description 99th percentile of the duration of these attempts. */
            p99_ms: number | null;
        };
        EventsWebhook: {
            url: string;
            events: ("upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled")[];
            state: components["schemas"]["WebhookState"];
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            max_in_flight: number;
            /** @description Null: no limit. */
            max_per_second: number | null;
            /** @description Names of the headers that are sent with each request; their values are never shown. */
            header_names: string[];
            /** @description Verifies the signatures. Shown only once, when the webhook is new: store it. */
            secret?: string;
        };
        EventsWebhookHealth: {
            url: string;
            events: ("upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled")[];
            state: components["schemas"]["WebhookState"];
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            max_in_flight: number;
            /** @description Null: no limit. */
            max_per_second: number | null;
            /** @description Names of the headers that are sent with each request; their values are never shown. */
            header_names: string[];
            health: components["schemas"]["HealthFigures"];
        };
        Delivery: {
            delivery_id: string;
            /**
             * Format: uuid
             * @description Null for an event.
             */
            inventory_system_id: string | null;
            type: components["schemas"]["WebhookType"] | components["schemas"]["EventType"];
            /**
             * Format: int64
             * @description Null for a test, and for an event that is not about a single store.
             */
            store_id: number | null;
            state: components["schemas"]["DeliveryState"];
            attempts_made: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            receiver_status: number | null;
            /** @description The latest message of the receiver. */
            message: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
        };
        DeliveryEnd: {
            delivery_id: string;
            /**
             * Format: uuid
             * @description Null for an event.
             */
            inventory_system_id: string | null;
            type: components["schemas"]["WebhookType"] | components["schemas"]["EventType"];
            /**
             * Format: int64
             * @description Null for a test, and for an event that is not about a single store.
             */
            store_id: number | null;
            state: components["schemas"]["DeliveryState"];
            attempts_made: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            receiver_status: number | null;
            /** @description The latest message of the receiver. */
            message: string | null;
        };
        DeliveryWithAttempts: {
            delivery_id: string;
            /**
             * Format: uuid
             * @description Null for an event.
             */
            inventory_system_id: string | null;
            type: components["schemas"]["WebhookType"] | components["schemas"]["EventType"];
            /**
             * Format: int64
             * @description Null for a test, and for an event that is not about a single store.
             */
            store_id: number | null;
            state: components["schemas"]["DeliveryState"];
            attempts_made: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            receiver_status: number | null;
            /** @description The latest message of the receiver. */
            message: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            attempts: components["schemas"]["Attempt"][];
        };
        DeliveryWithPayload: {
            delivery_id: string;
            /**
             * Format: uuid
             * @description Null for an event.
             */
            inventory_system_id: string | null;
            type: components["schemas"]["WebhookType"] | components["schemas"]["EventType"];
            /**
             * Format: int64
             * @description Null for a test, and for an event that is not about a single store.
             */
            store_id: number | null;
            state: components["schemas"]["DeliveryState"];
            attempts_made: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            receiver_status: number | null;
            /** @description The latest message of the receiver. */
            message: string | null;
            /** @description Why it has not ended; null: it has ended, or is being worked on. */
            waiting_for: components["schemas"]["WaitingFor"] | null;
            attempts: components["schemas"]["Attempt"][];
            /** @description Where the payload is, if it is over 256 KB. */
            payload_url: string | null;
            /** @description As the receiver got it last. Null before the first attempt, and over 256 KB. */
            payload: unknown;
        };
        Attempt: {
            number: number;
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
            status: number | null;
            /** @description Why there is no whole answer: a code. */
            error: string | null;
            /** @description What is wrong, in words. */
            detail: string | null;
            /** @description First 1 KB of the answer. */
            response: string | null;
        };
        EventDelivery: {
            delivery_id: string;
            /** Format: uuid */
            inventory_system_id: string;
            state: components["schemas"]["DeliveryState"];
        };
        EventDeliveryOutcome: {
            delivery_id: string;
            /** Format: uuid */
            inventory_system_id: string;
            state: components["schemas"]["DeliveryState"];
            receiver_status: number | null;
            message: string | null;
        };
        ItemDataMessage: {
            /** Format: date-time */
            now: string;
            inventory_system_id: string;
            units: unknown[];
            items: unknown[];
            suppliers: unknown[];
            /** @description The store’s id in the inventory system. */
            store_id: string;
        };
        StockMessage: {
            /** Format: date-time */
            now: string;
            inventory_system_id: string;
            /** @description The item’s id in the POS. */
            external_id: string;
            current_stock: string;
            quantity: string;
            date: string;
            /** @enum {integer} */
            movement_type: 1 | 2;
            /** @description The store’s id in the inventory system. */
            store_id: string;
        };
        DriftedMenu: {
            /** Format: int64 */
            store_id: number;
            integration_id: string;
            upload_id: string | null;
            /** Format: date-time */
            live_since: string | null;
            drift: components["schemas"]["Drift"];
        };
        WebhookChange: {
            type: components["schemas"]["WebhookType"];
            /** Format: uuid */
            inventory_system_id: string;
            url: string;
            state: components["schemas"]["WebhookState"];
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /** Format: date-time */
            paused_until: string | null;
        };
    };
    responses: {
        /** @description The token is missing, malformed, unknown, expired or revoked. Always plain text, whatever `Accept` says. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
    };
    parameters: {
        /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
        IdempotencyKey: string;
        /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
        RequestId: string;
        /** @description `respond-async` does not wait for the outcome. */
        Prefer: "respond-async";
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request.
         * @example d4f1c0de-7a52-4c1e-9d57-0c2a6f3b8e11
         */
        "X-Request-Id": string;
        /**
         * @description The upload, from the moment it is stored.
         * @example upl_01a1fe1f790b9b594112a9ef590f17f0
         */
        "X-Upload-Id": string;
        /**
         * @description Of this version; `If-None-Match` may name it.
         * @example "47DEQpj8HBSa-_TImW-5JC"
         */
        ETag: string;
        /**
         * @description Where the status of the upload is.
         * @example /api/v1/menus/uploads/upl_01a1fe1f790b9b594112a9ef590f17f0
         */
        Location: string;
        /**
         * @description Seconds to wait.
         * @example 5
         */
        "Retry-After": string;
        /**
         * @description With `rel="next"`: the next page of lines or rows.
         * @example </api/v1/menus/uploads/upl_01a1fe1f790b9b594112a9ef590f17f0/changes?cursor=bmV4dA>; rel="next"
         */
        Link: string;
        /**
         * @description `pos`: status and body are the POS’s own.
         * @example pos
         */
        "X-Error-Source": string;
        /**
         * @description `Bearer`.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description `q`: requests of a token in `w` seconds.
         * @example "token";q=200;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description `r`: requests that are left now; `t`: seconds until all are.
         * @example "token";r=187;t=1
         */
        RateLimit: string;
        /**
         * @description `true` on the answer of an earlier request with the same key.
         * @example true
         */
        "Idempotency-Replayed": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    me: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: {
                            user_id: string;
                            name: string;
                            permissions: ("inventory:create" | "pos:events" | "operator" | "support")[];
                            token: {
                                token_id: string;
                                /**
                                 * Format: date-time
                                 * @description Null: it does not expire.
                                 */
                                expires_at: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description An id as it is written, or words of a name; case and accents do not matter. */
                q: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Found"][];
                    };
                };
            };
        };
    };
    uploadMenu: {
        parameters: {
            query?: {
                /** @description Skips the push if exactly this menu is already live. */
                skip_unchanged?: "true" | "false";
            };
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MenuUpload"];
            };
        };
        responses: {
            /** @description The menu is live in the delivery app. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description Not finished yet, or the caller did not wait. The upload continues. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["AcceptedUpload"];
                    };
                };
            };
        };
    };
    changeMenus: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemChanges"];
            };
        };
        responses: {
            /** @description Every delivery app shows the change, or a newer menu replaced it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["MenuChangeOutcomes"];
                    };
                };
            };
            /** @description Not all are done yet, or the caller did not wait. They continue; each is an upload with its own URL. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["MenuChangeOutcomes"];
                    };
                };
            };
        };
    };
    previewMenu: {
        parameters: {
            query?: {
                /** @description Parts to add to each result, separated by commas: `shown`, `payload`, `changes`. */
                include?: string;
                /** @description Fetch and check the images, as an upload does. Otherwise only their URLs are checked. */
                check_images?: "true" | "false";
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MenuPreview"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: {
                            results: components["schemas"]["PreviewResult"][];
                        };
                    };
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Upload"];
                    };
                };
            };
        };
    };
    listUploads: {
        parameters: {
            query?: {
                /** @description Id of the store in the platform. */
                store_id?: number;
                /** @description Id of the integration: a delivery app as it is configured here. */
                integration_id?: string;
                /** @description Returns only entries in this state. */
                state?: "queued" | "running" | "uploaded" | "partly_uploaded" | "failed" | "superseded" | "canceled";
                /** @description Returns only what was created, or happened, then or later: an ISO 8601 date-time with offset, whose `+` a URL writes as `%2B`. */
                since?: string;
                /** @description Returns only what was created before: an ISO 8601 date-time with offset. */
                until?: string;
                /** @description Returns only what the request with this `X-Request-Id` made. */
                request_id?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["UploadSummary"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getUploadMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["MenuUpload"];
                    };
                };
            };
        };
    };
    getUploadPayload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadAnswer"];
                };
            };
        };
    };
    getUploadShown: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Shown"];
                    };
                };
            };
        };
    };
    getUploadChanges: {
        parameters: {
            query?: {
                /** @description What the menu is compared with: `previous` (the default), `live`, or the id of an upload. */
                against?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["MenuChanges"];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/plain": string;
                };
            };
        };
    };
    republishUpload: {
        parameters: {
            query?: {
                /** @description Skips the push if exactly this menu is already live. */
                skip_unchanged?: "true" | "false";
            };
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The menu is live in the delivery app. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description Not finished yet, or the caller did not wait. The upload continues. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["AcceptedUpload"];
                    };
                };
            };
        };
    };
    cancelUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From `X-Upload-Id` or from the answer to the upload.
                 * @example upl_01a1fe1f790b9b594112a9ef590f17f0
                 */
                upload_id: string;
            };
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Upload"];
                    };
                };
            };
        };
    };
    listLiveMenus: {
        parameters: {
            query: {
                /** @description Id of the store in the platform. */
                store_id: number;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["LiveMenu"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    checkLiveMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiveCheck"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["CheckedMenu"];
                    };
                };
            };
            /** @description Not finished yet. It continues. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listUnavailable: {
        parameters: {
            query?: {
                /** @description Id of the store in the platform. */
                store_id?: number;
                /** @description Id of the integration: a delivery app as it is configured here. */
                integration_id?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["UnavailableItem"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    changeAvailability: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AvailabilityChange"];
            };
        };
        responses: {
            /** @description Every delivery app has applied the change, or a newer request replaced it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
            /** @description Not all are done yet, or the caller did not wait. They continue; each change has its own URL. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
        };
    };
    getAvailabilityChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the change, from the answer to the request.
                 * @example avc_01a1fe21a2d17a6e9b0c4f0e8d3a5b67
                 */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["AvailabilityChangeView"];
                    };
                };
            };
        };
    };
    listRollouts: {
        parameters: {
            query?: {
                /** @description Returns only entries in this state. */
                state?: "running" | "done" | "stopped" | "canceled" | "reverting" | "reverted";
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Rollout"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    startRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MenuRollout"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["AcceptedRollout"];
                    };
                };
            };
        };
    };
    getRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the rollout, from the answer to the request.
                 * @example rol_01a1fe1f790b9b594112a9ef590f17f0
                 */
                rollout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Rollout"];
                    };
                };
            };
        };
    };
    listRolloutTargets: {
        parameters: {
            query?: {
                /** @description Returns only entries in this state. */
                state?: "waiting" | "queued" | "running" | "uploaded" | "partly_uploaded" | "failed" | "superseded" | "canceled" | "refused";
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the rollout, from the answer to the request.
                 * @example rol_01a1fe1f790b9b594112a9ef590f17f0
                 */
                rollout_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["RolloutTarget"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    cancelRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the rollout, from the answer to the request.
                 * @example rol_01a1fe1f790b9b594112a9ef590f17f0
                 */
                rollout_id: string;
            };
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Rollout"];
                    };
                };
            };
        };
    };
    revertRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the rollout, from the answer to the request.
                 * @example rol_01a1fe1f790b9b594112a9ef590f17f0
                 */
                rollout_id: string;
            };
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["AcceptedRollout"];
                    };
                };
            };
        };
    };
    listStores: {
        parameters: {
            query?: {
                /** @description An id as it is written, or words of a name; case and accents do not matter. */
                q?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Store"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["CreatedStore"];
                    };
                };
            };
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Store"];
                    };
                };
            };
        };
    };
    deleteStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    changeStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Store"];
                    };
                };
            };
        };
    };
    listStoreIntegrations: {
        parameters: {
            query?: {
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["StoreIntegration"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    storeTimeline: {
        parameters: {
            query?: {
                /** @description Returns only what was created, or happened, then or later: an ISO 8601 date-time with offset, whose `+` a URL writes as `%2B`. */
                since?: string;
                /** @description Returns only what was created before: an ISO 8601 date-time with offset. */
                until?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["TimelineEntry"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    pauseStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StorePause"];
            };
        };
        responses: {
            /** @description Every delivery app has applied the change, or a newer request replaced it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
            /** @description Not all are done yet, or the caller did not wait. They continue; each change has its own URL. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
        };
    };
    resumeStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreResume"];
            };
        };
        responses: {
            /** @description Every delivery app has applied the change, or a newer request replaced it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
            /** @description Not all are done yet, or the caller did not wait. They continue; each change has its own URL. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
        };
    };
    getSpecialDays: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["StoreSpecialDays"];
                    };
                };
            };
        };
    };
    setSpecialDays: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpecialDays"];
            };
        };
        responses: {
            /** @description Every delivery app has applied the change, or a newer request replaced it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
            /** @description Not all are done yet, or the caller did not wait. They continue; each change has its own URL. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ChangeOutcomes"];
                    };
                };
            };
        };
    };
    createInventorySystem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventorySystemCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["InventorySystem"];
                    };
                };
            };
        };
    };
    listInventorySystems: {
        parameters: {
            query?: {
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["InventorySystem"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getInventorySystem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["InventorySystem"];
                    };
                };
            };
        };
    };
    deleteInventorySystem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    changeInventorySystem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventorySystemChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["InventorySystem"];
                    };
                };
            };
        };
    };
    linkStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreLink"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["StoreLinkAnswer"];
                    };
                };
            };
        };
    };
    listStoreLinks: {
        parameters: {
            query?: {
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["StoreLinkAnswer"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getStoreLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["StoreLinkAnswer"];
                    };
                };
            };
        };
    };
    unlinkStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    manageWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookManage"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: {
                            type: components["schemas"]["WebhookType"];
                            /** Format: uuid */
                            inventory_system_id: string;
                            url: string;
                            state: components["schemas"]["WebhookState"];
                            max_in_flight: number;
                            max_per_second: number | null;
                            /** @description Names of the headers that are sent with each request; their values are never shown. */
                            header_names: string[];
                            /** @description Verifies the signatures. Shown only once, when the webhook is new: store it. */
                            secret?: string;
                        };
                    };
                };
            };
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelect"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelect"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["WebhookHealth"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the inventory system, a UUID; it must be yours.
                 * @example 3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11
                 */
                inventory_system_id: string;
                /**
                 * @description 1 POS item data, 2 stock movements; with `events`, the type of an event.
                 * @example 2
                 */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRotate"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["RotatedSecret"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelect"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["DeliveryWithAttempts"];
                    };
                };
            };
        };
    };
    manageEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsWebhookManage"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventsWebhook"];
                    };
                };
            };
        };
    };
    rotateEventsSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsWebhookRotate"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["RotatedSecret"];
                    };
                };
            };
        };
    };
    enableEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventsWebhook"];
                    };
                };
            };
        };
    };
    disableEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventsWebhook"];
                    };
                };
            };
        };
    };
    getEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventsWebhookHealth"];
                    };
                };
            };
        };
    };
    deleteEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    testEventsWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["DeliveryWithAttempts"];
                    };
                };
            };
        };
    };
    sendItemData: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 10 MB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventoryItemsEvent"];
            };
        };
        responses: {
            /** @description No linked inventory system has a webhook for item data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventDeliveries"];
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventDeliveries"];
                    };
                };
            };
        };
    };
    sendStockMovement: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async` does not wait for the outcome. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventoryStockEvent"];
            };
        };
        responses: {
            /** @description Every linked system acknowledged, or none is linked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventDeliveryOutcomes"];
                    };
                };
            };
            /** @description The delivery continues. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["EventDeliveryOutcomes"];
                    };
                };
            };
        };
    };
    updatePosStock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the store in the platform.
                 * @example 1
                 */
                store_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PosStockUpdate"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error of the POS: its status and its JSON. Text that is not JSON comes in the form of our errors. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From the answer to the event, or from the list.
                 * @example dlv_01a1fe20c1d17a6e9b0c4f0e8d3a5b66
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["DeliveryWithPayload"];
                    };
                };
            };
        };
    };
    getDeliveryPayload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From the answer to the event, or from the list.
                 * @example dlv_01a1fe20c1d17a6e9b0c4f0e8d3a5b66
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayloadAnswer"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Id of the inventory system, a UUID; it must be yours. */
                inventory_system_id?: string;
                /** @description The events to send. `null` means all. If absent, the setting is kept; a new webhook gets all. */
                events?: "true" | "false";
                /** @description 1 POS item data, 2 stock movements; with `events`, the type of an event. */
                type?: "1" | "2" | "upload.ended" | "rollout.ended" | "availability.failed" | "menu.drifted" | "delivery.failed" | "webhook.paused" | "webhook.resumed" | "webhook.disabled" | "webhook.test";
                /** @description Returns only entries in this state. */
                state?: "pending" | "delivered" | "acknowledged" | "refused" | "exhausted" | "discarded";
                /** @description Id of the store in the platform. */
                store_id?: number;
                /** @description Returns only stock movements of this item, by its id in the POS. */
                external_id?: string;
                /** @description Returns only deliveries to which the receiver answered this last. */
                receiver_status?: number;
                /** @description Returns only what was created, or happened, then or later: an ISO 8601 date-time with offset, whose `+` a URL writes as `%2B`. */
                since?: string;
                /** @description Returns only what was created before: an ISO 8601 date-time with offset. */
                until?: string;
                /** @description Returns only what the request with this `X-Request-Id` made. */
                request_id?: string;
                /** @description Entries per page. Default: 25. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["Delivery"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description From the answer to the event, or from the list.
                 * @example dlv_01a1fe20c1d17a6e9b0c4f0e8d3a5b66
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        /** @description None, or `{}` with any content type. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: {
                            delivery_id: string;
                        };
                    };
                };
            };
        };
    };
    resendDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Echoed, logged, and stored with the rows of the request. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KB, also after gzip decoding. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryResend"];
            };
        };
        responses: {
            /** @description With `dry_run`: nothing is sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ResentDeliveries"];
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["ResentDeliveries"];
                    };
                };
            };
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    appCCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the integration: a delivery app as it is configured here.
                 * @example 3
                 */
                integration_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        errno: 0;
                        /** @constant */
                        errmsg: "ok";
                    };
                };
            };
        };
    };
    appDCallback: {
        parameters: {
            query?: {
                /** @description The event that App D reports at this URL: `MENU_APPROVED` or `MENU_REJECTED`. */
                event?: "MENU_APPROVED" | "MENU_REJECTED";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the integration: a delivery app as it is configured here.
                 * @example 4
                 */
                integration_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Success.";
                        data: null;
                    };
                };
            };
        };
    };
    itemDataMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
                /** @description `v1=<hex>` of HMAC-SHA256 over `now` and body. */
                "X-Signature-Request": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemDataMessage"];
            };
        };
        responses: {
            /** @description Delivered, except for 408, 425, 429 and 5xx. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    stockMovementMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
                /** @description `v1=<hex>` of HMAC-SHA256 over `now` and body. */
                "X-Signature-Request": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockMessage"];
            };
        };
        responses: {
            /** @description Acknowledged. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    uploadEndedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "upload.ended";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["UploadEnd"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rolloutEndedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "rollout.ended";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["Rollout"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    availabilityFailedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "availability.failed";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["AvailabilityChangeEnd"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    menuDriftedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "menu.drifted";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["DriftedMenu"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliveryFailedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "delivery.failed";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["DeliveryEnd"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookPausedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.paused";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["WebhookChange"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookResumedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.resumed";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["WebhookChange"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookDisabledMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.disabled";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: components["schemas"]["WebhookChange"];
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTestMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt of a message: apply each once. */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks. */
                "webhook-signature": string;
                /** @description Grows with each message of a webhook; not signed. */
                "webhook-sequence": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.test";
                    /**
                     * Format: date-time
                     * @description When it happened; the same in every attempt.
                     */
                    timestamp: string;
                    data: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
