# Written by npm run clients from /openapi.json; do not edit.
"""JSON of requests, answers and webhooks."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class MenuUpload(TypedDict):
    # Id of the store in the platform.
    store_id: int | str
    # Id of the integration: a delivery app as it is configured here.
    integration_id: int | str
    # The menus. Only App A takes more than one.
    menus: list[Menu]
    # The categories that the menus name.
    categories: list[Category]
    # Everything that is sold, options included.
    items: list[Item]
    # The choices that items offer; may be empty.
    modifier_groups: list[ModifierGroup]


class ItemChanges(TypedDict):
    # Id of the store in the platform.
    store_id: int | str
    # Up to 100 integration ids. Default: all that show a menu of the store.
    integration_ids: NotRequired[list[int | str] | None]
    # What is to change of items, each by its `external_id`; with `options` 1 to 500 elements.
    items: NotRequired[list[ItemChange] | None]
    # Prices of options in their groups.
    options: NotRequired[list[OptionPriceChange] | None]


class MenuPreview(TypedDict):
    # Id of the store in the platform.
    store_id: int | str
    # Up to 20 integration ids. Default: all that the store is connected to.
    integration_ids: NotRequired[list[int | str] | None]
    # The menus. Only App A takes more than one.
    menus: list[Menu]
    # The categories that the menus name.
    categories: list[Category]
    # Everything that is sold, options included.
    items: list[Item]
    # The choices that items offer; may be empty.
    modifier_groups: list[ModifierGroup]


class LiveCheck(TypedDict):
    # Id of the store in the platform.
    store_id: int | str
    # Id of the integration: a delivery app as it is configured here.
    integration_id: int | str


class AvailabilityChangeItems(TypedDict):
    external_id: str
    available: bool
    until: NotRequired[str | None]


class AvailabilityChange(TypedDict):
    # Id of the store in the platform.
    store_id: int | str
    # Up to 100 integration ids. Default: all that the store is connected to and that have shown a menu, or where an item is off sale that is put back.
    integration_ids: NotRequired[list[int | str] | None]
    # The items that go off sale or come back on sale. If an id is repeated, the last entry counts.
    items: list[AvailabilityChangeItems]


class MenuRolloutTargets(TypedDict):
    store_id: int | str
    integration_id: int | str


class MenuRollout(TypedDict):
    # Where the menu goes: up to 1,000 places.
    targets: list[MenuRolloutTargets]
    # Maximum number of targets that are uploaded at once.
    parallel: NotRequired[int | None]
    # After this many failed targets no new ones begin; 0 = no limit.
    stop_after_failures: NotRequired[int | None]
    # The menus. Only App A takes more than one.
    menus: list[Menu]
    # The categories that the menus name.
    categories: list[Category]
    # Everything that is sold, options included.
    items: list[Item]
    # The choices that items offer; may be empty.
    modifier_groups: list[ModifierGroup]


class StoreCreate(TypedDict):
    # Must not be blank.
    name: str
    # ISO 3166-1 alpha-2, upper or lower case.
    country_code: str
    # How to find the store, in words.
    direction: NotRequired[str | None]
    # In degrees. Both coordinates or neither.
    latitude: NotRequired[float | None | str]
    # In degrees. Both coordinates or neither.
    longitude: NotRequired[float | None | str]
    # IANA name of the zone of the store. A `date` of a stock movement without an offset is read in it.
    time_zone: NotRequired[str | None]


class StoreChange(TypedDict):
    # Must not be blank.
    name: NotRequired[str]
    # ISO 3166-1 alpha-2, upper or lower case.
    country_code: NotRequired[str]
    # How to find the store, in words.
    direction: NotRequired[str | None]
    # In degrees. Both coordinates or neither.
    latitude: NotRequired[float | None | str]
    # In degrees. Both coordinates or neither.
    longitude: NotRequired[float | None | str]
    # IANA name of the zone of the store. A `date` of a stock movement without an offset is read in it.
    time_zone: NotRequired[str | None]
    # If on, an item whose stock reaches zero goes off sale, starting with the next movement. Turning it off puts back on sale the items that stock had taken off.
    availability_from_stock: NotRequired[Literal["off", "on"]]


class StorePause(TypedDict):
    # Up to 100 integration ids. Default: all that the store is connected to.
    integration_ids: NotRequired[list[int | str] | None]
    # In a body, when it ends by itself: an ISO 8601 date-time with offset, at most a year ahead. In a query, only what happened before then.
    until: NotRequired[str | None]
    # The reason, shown to the delivery app.
    reason: NotRequired[str | None]


class StoreResume(TypedDict):
    # Up to 100 integration ids. Default: all that the store is connected to.
    integration_ids: NotRequired[list[int | str] | None]


class SpecialDaysDaysPeriods(TypedDict):
    start: str
    end: str


class SpecialDaysDays(TypedDict):
    date: str
    closed: NotRequired[bool | None]
    periods: NotRequired[list[SpecialDaysDaysPeriods] | None]
    name: NotRequired[str | None]


class SpecialDays(TypedDict):
    # Up to 100 integration ids. Default: all that the store is connected to.
    integration_ids: NotRequired[list[int | str] | None]
    # All of them, each date once; an empty list takes them away.
    days: list[SpecialDaysDays]


class InventorySystemCreate(TypedDict):
    # Must not be blank.
    name: str


class InventorySystemChange(TypedDict):
    # Must not be blank.
    name: NotRequired[str]


class StoreLink(TypedDict):
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: str
    # Id of the store in the platform.
    store_id: int | str
    # Id of the store in the inventory system; webhooks send it as `store_id`.
    external_store_id: str


class WebhookManage(TypedDict):
    # 1 POS item data, 2 stock movements.
    type: Literal[1, 2] | Literal["1", "2"]
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: str
    # Where the webhooks go: https, a public address, no credentials, no fragment.
    url: str
    # Maximum concurrent requests. Default: 20; once set, it is kept.
    max_in_flight: NotRequired[int | None]
    # Maximum attempts per second, retries and probes included. `null` removes the limit.
    max_per_second: NotRequired[int | None]
    # Up to 10 headers to send with each request. `null` or `{}` removes them; if absent, they are kept. Stored encrypted and never shown again.
    headers: NotRequired[dict[str, Any] | None]


class WebhookSelect(TypedDict):
    # 1 POS item data, 2 stock movements.
    type: Literal[1, 2] | Literal["1", "2"]
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: str


class WebhookRotate(TypedDict):
    # 1 POS item data, 2 stock movements.
    type: Literal[1, 2] | Literal["1", "2"]
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: str
    # How long the old secret still signs too. Default: one day.
    grace_seconds: NotRequired[int | None]


class EventsWebhookManage(TypedDict):
    # Where the webhooks go: https, a public address, no credentials, no fragment.
    url: str
    # The events to send. `null` means all. If absent, the setting is kept; a new webhook gets all.
    events: NotRequired[list[Literal["upload.ended", "rollout.ended", "availability.failed", "menu.drifted", "delivery.failed", "webhook.paused", "webhook.resumed", "webhook.disabled"]] | None]
    # Maximum concurrent requests. Default: 20; once set, it is kept.
    max_in_flight: NotRequired[int | None]
    # Maximum attempts per second, retries and probes included. `null` removes the limit.
    max_per_second: NotRequired[int | None]
    # Up to 10 headers to send with each request. `null` or `{}` removes them; if absent, they are kept. Stored encrypted and never shown again.
    headers: NotRequired[dict[str, Any] | None]


class EventsWebhookRotate(TypedDict):
    # How long the old secret still signs too. Default: one day.
    grace_seconds: NotRequired[int | None]


class InventoryItemsEvent(TypedDict):
    # Units of measurement as the POS has them; passed on unchanged.
    units: list[Any]
    # Items as the POS has them; passed on unchanged.
    items: list[Any]
    # Suppliers as the POS has them; passed on unchanged.
    suppliers: list[Any]


class InventoryStockEvent(TypedDict):
    # Id of the item in the POS.
    external_id: str
    # Stock after the movement, as a decimal string.
    current_stock: str
    # The amount that was added or removed, as a decimal string.
    quantity: str
    # ISO 8601, a date or a date-time; passed on unchanged.
    date: str
    # 1 adds, 2 removes.
    movement_type: Literal[1, 2] | Literal["1", "2"]


class PosStockUpdate(TypedDict):
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: str
    # Id of the POS; it must be that of the store.
    pos_id: int | str
    # Stock after the movement, as a decimal string.
    current_stock: str
    # The amount that was added or removed, as a decimal string.
    quantity: str
    # ISO 8601, a date or a date-time; passed on unchanged.
    date: str
    # 1 adds, 2 removes.
    movement_type: Literal[1, 2] | Literal["1", "2"]
    # Id of the item in the POS.
    external_id: str


class DeliveryResend(TypedDict):
    # Id of the inventory system, a UUID; it must be yours.
    inventory_system_id: NotRequired[str | None]
    # 1 POS item data, 2 stock movements; with `events`, the type of an event.
    type: NotRequired[Literal[1, 2] | Literal["1", "2", "upload.ended", "rollout.ended", "availability.failed", "menu.drifted", "delivery.failed", "webhook.paused", "webhook.resumed", "webhook.disabled", "webhook.test"] | None]
    # Resends deliveries of your webhook for events instead of those of your inventory systems.
    events: NotRequired[bool | None]
    # Returns only entries in this state.
    state: NotRequired[Literal["pending", "delivered", "acknowledged", "refused", "exhausted", "discarded"] | None]
    # Resends only deliveries about this store.
    store_id: NotRequired[int | str | None]
    # Resends only stock movements of this item, by its id in the POS.
    external_id: NotRequired[str | None]
    # Resends only deliveries to which the receiver answered this last.
    receiver_status: NotRequired[int | None]
    # Resends only what was created from then on: an ISO 8601 date-time with offset.
    since: NotRequired[str | None]
    # Resends only what was created before: an ISO 8601 date-time with offset.
    until: NotRequired[str | None]
    # Resends only what the request with this `X-Request-Id` made.
    request_id: NotRequired[str | None]
    # Counts the matching deliveries without sending them.
    dry_run: NotRequired[bool | None]


class Menu(TypedDict):
    """A menu as guests see it."""

    # Unique among the menus.
    identifier: str
    name: str
    description: NotRequired[str | None]
    # Ids of `categories`.
    category_external_ids: list[str]
    schedules: list[Schedule]


class Schedule(TypedDict):
    """The hours of one day of the week. Periods of one day must not overlap; touching is fine."""

    day_of_week: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    periods: list[Period]


class Period(TypedDict):
    """From start to end; start is before end, so that a night is two periods."""

    # `hh:mm`, the clock of the store.
    start: str
    # `hh:mm`, the clock of the store.
    end: str


class Category(TypedDict):
    """A part of a menu."""

    external_id: str
    name: str
    description: NotRequired[str | None]
    data_items: list[DataItem]


class DataItem(TypedDict):
    """An item in a category."""

    # Id of one of `items`.
    item_external_id: str
    # Instead of the item’s own; the first one in a menu counts.
    price: NotRequired[Price | None]


class Item(TypedDict):
    """Something that is sold, alone or as an option."""

    external_id: str
    name: str
    description: NotRequired[str | None]
    # App A: https, JPEG, PNG or GIF under 10 MB, 320–1144 px wide and high.
    image_url: NotRequired[str | None]
    # Instead of the menu’s.
    schedules: NotRequired[list[Schedule] | None]
    price: Price
    data_modifier_groups: list[DataModifierGroup]
    # False: off sale from its first minute, until a change of availability ends it.
    available: NotRequired[bool | None]
    # With `available: false`: ISO 8601 with an offset, in the future and within a year.
    unavailable_until: NotRequired[str | None]
    # The first day on which it is on sale, `yyyy-MM-dd` in the store’s time zone, which it then needs.
    visible_from: NotRequired[str | None]
    # The last day on which it is on sale, alike.
    visible_until: NotRequired[str | None]
    details: NotRequired[ItemDetails | None]


class ItemDetailsTax(TypedDict):
    # Hundredths of a percent, to 10000: 16 % is `"1600"`.
    rate: str
    # In the price; if absent, it is.
    included: NotRequired[bool | None]
    # Hundredths of a percent, to 20000.
    excise_rate: NotRequired[str | None]


class ItemDetailsAlcohol(TypedDict):
    # To 99; `"0"` states that there is none.
    units: str
    # Hundredths of a percent, to 10000: 5 % is `"500"`.
    by_volume: NotRequired[str | None]


class ItemDetailsCalories(TypedDict):
    # To 99999.
    from: NotRequired[str | None]
    # To 99999, and not below `from`.
    to: NotRequired[str | None]


class ItemDetailsBundledItems(TypedDict):
    # Id of one of `items`.
    item_external_id: str
    # 1 to 99.
    quantity: str


class ItemDetailsDeposit(TypedDict):
    # Above 0, as in a price.
    value: str


class ItemDetails(TypedDict):
    """What is known of an item beside its name, price and choices. A loss `detail_ignored` names what an app does not show."""

    tax: NotRequired[ItemDetailsTax | None]
    tax_labels: NotRequired[list[str] | None]
    alcohol: NotRequired[ItemDetailsAlcohol | None]
    # Counts as a meal where alcohol needs one.
    serves_alone: NotRequired[bool | None]
    allergens: NotRequired[list[Literal["celery", "crustaceans", "eggs", "fish", "gluten", "lupin", "milk", "molluscs", "mustard", "peanuts", "sesame", "soy", "sulphites", "tree_nuts"]] | None]
    diets: NotRequired[list[Literal["vegan", "vegetarian", "gluten_free", "halal", "kosher", "dairy_free", "nut_free"]] | None]
    calories: NotRequired[ItemDetailsCalories | None]
    # A GTIN; its check digit must be right.
    barcode: NotRequired[str | None]
    bundled_items: NotRequired[list[ItemDetailsBundledItems] | None]
    deposit: NotRequired[ItemDetailsDeposit | None]


class Price(TypedDict):
    """Digits with two implied decimals: `"1030"` is 10.30, and 12000 of a currency without decimals is `"1200000"`."""

    # Above 0; of what is free 0, or absent.
    value: NotRequired[str | None]
    # Only App C has such prices; what is free has none.
    promotion_value: NotRequired[str | None]
    # True: it costs nothing.
    free: NotRequired[bool | None]


class DataModifierGroup(TypedDict):
    """A choice that an item offers."""

    # Id of one of `modifier_groups`.
    modifier_group_external_id: str
    # Instead of the group’s own.
    quantity: NotRequired[GroupQuantity | None]


class ModifierGroup(TypedDict):
    """A choice and its options. Groups must not lead back to themselves."""

    external_id: str
    name: str
    quantity: GroupQuantity
    data_options: list[DataOption]


class DataOption(TypedDict):
    """One option of a group."""

    # Id of one of `items`.
    item_external_id: str
    # Instead of the item’s own.
    price: NotRequired[Price | None]
    # Only App A has these.
    quantity: NotRequired[Quantity | None]


class Quantity(TypedDict):
    """How many may be chosen: `exactly`, or a minimum and a maximum, both included. A minimum of `"0"` makes the choice optional."""

    min_quantity: NotRequired[str | None]
    # Above the minimum.
    max_quantity: NotRequired[str | None]
    # In place of both: the choice has neither.
    exactly: NotRequired[str | None]


class GroupQuantity(TypedDict):
    """How many options of a group may be chosen in all, and how many of them cost nothing."""

    min_quantity: NotRequired[str | None]
    # Above the minimum.
    max_quantity: NotRequired[str | None]
    # In place of both: the choice has neither.
    exactly: NotRequired[str | None]
    # At most the maximum; each further unit costs its price.
    free_quantity: NotRequired[str | None]


class ItemChange(TypedDict):
    """What is to change of one item. What is absent stays; null clears what is optional."""

    external_id: str
    name: NotRequired[str]
    description: NotRequired[str | None]
    image_url: NotRequired[str | None]
    # In place of the item’s, its promotion too.
    price: NotRequired[Price]
    # Null: in no menu another price than the item’s.
    prices_by_menu: NotRequired[list[MenuPriceChange] | None]
    # Each member in place of the item’s; null clears it.
    details: NotRequired[ItemDetails | None]


class MenuPriceChange(TypedDict):
    """The price of an item in one menu."""

    # Of the menu.
    identifier: str
    # Null: the item’s own.
    price: Price | None


class OptionPriceChange(TypedDict):
    """The price of an option in one group."""

    modifier_group_external_id: str
    item_external_id: str
    # Null: the item’s own.
    price: Price | None


UploadState: TypeAlias = "Literal[\"queued\", \"running\", \"uploaded\", \"partly_uploaded\", \"failed\", \"superseded\", \"canceled\"]"


UploadStepName: TypeAlias = "Literal[\"token\", \"transform\", \"images\", \"items\", \"push\", \"confirm\", \"availability\"]"


UploadStepState: TypeAlias = "Literal[\"pending\", \"running\", \"done\", \"failed\", \"skipped\"]"


LossSeverity: TypeAlias = "Literal[\"block\", \"warn\", \"info\"]"


WebhookType: TypeAlias = "Literal[1, 2]"


EventType: TypeAlias = "Literal[\"upload.ended\", \"rollout.ended\", \"availability.failed\", \"menu.drifted\", \"delivery.failed\", \"webhook.paused\", \"webhook.resumed\", \"webhook.disabled\", \"webhook.test\"]"


WebhookState: TypeAlias = "Literal[\"enabled\", \"disabled\"]"


WebhookDisabledReason: TypeAlias = "Literal[\"gone\", \"failing\", \"manual\", \"owner_inactive\"]"


WaitingReason: TypeAlias = "Literal[\"app_unavailable\", \"app_busy\", \"token\", \"approval\", \"earlier_menu\", \"image_host\", \"receiver_failing\", \"receiver_busy\", \"paused\", \"disabled\", \"our_side\", \"temporal\", \"permit\"]"


class WaitingFor(TypedDict):
    reason: WaitingReason
    # What the delivery app or the receiver said last, or our own sentence.
    message: str
    # When the wait for this reason began.
    since: str
    # Tries in vain.
    attempts: int
    # Null: it depends on something else, or a try is under way.
    next_attempt_at: str | None


DeliveryState: TypeAlias = "Literal[\"pending\", \"delivered\", \"acknowledged\", \"refused\", \"exhausted\", \"discarded\"]"


class TimelineEntryBy(TypedDict):
    """Who did it. Null: nobody did, or it was another user, whom operators and `support` see."""

    user_id: str
    name: str


class TimelineEntry(TypedDict):
    # When it was asked for or found; of a webhook, when it failed.
    at: str
    kind: Literal["upload", "availability", "pause", "rollout", "drift", "delivery"]
    # A sentence for a person.
    title: str
    # As the thing itself has it now: of an upload, a change, a rollout, a reading, a delivery.
    state: str
    # Who did it. Null: nobody did, or it was another user, whom operators and `support` see.
    by: TimelineEntryBy | None
    # Where the API has it. Null: you would not see it there.
    url: str | None


class Error(TypedDict):
    """Every sentence that applies: at most 50, then one that says how many more there are."""

    message: list[str]
    data: None


FieldErrors: TypeAlias = "dict[str, list[str]]"


class ProblemErrors(TypedDict):
    code: str
    # JSON Pointer into the body; empty for what has no place in it.
    pointer: str
    detail: str
    # That of the nearest menu, category, item or modifier group that has one.
    external_id: NotRequired[str]
    # The refused value, of its own type, a text cut after 100 characters; absent for a missing one, a long object or list, and what may be a secret.
    value: NotRequired[Any]
    # What to write, where a form is wanted.
    hint: NotRequired[str]


class ProblemOmitted(TypedDict):
    detail: str
    count: int


class Problem(TypedDict):
    """RFC 9457, for clients that send `Accept: application/problem+json`."""

    type: str
    title: str
    status: int
    detail: str
    # A stable code for programs.
    code: str
    # At most 50. If there are more, the first of every sentence comes first; `omitted` has the others.
    errors: list[ProblemErrors]
    # Only if `errors` does not have all: the others by sentence.
    omitted: NotRequired[list[ProblemOmitted]]


class Done(TypedDict):
    """A message, and nothing else to know."""

    message: str
    data: None


class AcceptedUpload(TypedDict):
    upload_id: str
    # The path of the upload’s status.
    status_url: str


class AcceptedRollout(TypedDict):
    rollout_id: str
    # The path of the rollout’s status.
    status_url: str


class MenuChangeOutcomes(TypedDict):
    """One upload for each integration."""

    changes: list[MenuChangeOutcome]


class ChangeOutcomes(TypedDict):
    """One change for each integration."""

    changes: list[ChangeOutcome]


class EventDeliveries(TypedDict):
    """One delivery for each linked system with a webhook."""

    deliveries: list[EventDelivery]


class EventDeliveryOutcomes(TypedDict):
    """One delivery for each linked system with a webhook."""

    deliveries: list[EventDeliveryOutcome]


class PayloadAnswer(TypedDict):
    message: str
    # In the form of the delivery app, or as the receiver got it.
    data: Any


class ResentDeliveries(TypedDict):
    # How many deliveries.
    count: int


class RotatedSecretPrevious(TypedDict):
    valid_until: str


class RotatedSecret(TypedDict):
    # Shown this once.
    secret: str
    # Until then the old one signs too.
    previous_valid_until: str | None
    # The earlier secrets that still sign, the newest first; at most four.
    previous: list[RotatedSecretPrevious]


class LossCounts(TypedDict):
    """How many losses of each severity, those included that were left out of the list."""

    block: int
    warn: int
    info: int


class LocationPoint(TypedDict):
    """GeoJSON: longitude first."""

    type: Literal["Point"]
    coordinates: list[float]


class Readiness(TypedDict):
    status: Literal["ok", "unavailable"]
    postgres: Literal["ok", "unreachable", "read_only", "schema_behind"]
    stopping: bool
    temporal: Literal["ok", "unreachable"]
    oldest_due_seconds: int | None
    # The clock of this process minus that of the database; null until that is known.
    clock_skew_seconds: int | None


class UploadSummary(TypedDict):
    upload_id: str
    store_id: int
    integration_id: str
    state: UploadState
    created_at: str
    finished_at: str | None
    next_attempt_at: str | None
    loss_counts: LossCounts
    # The upload whose menu was sent again.
    republished_from: str | None
    # The rollout that it is part of.
    rollout_id: str | None
    # The user who sent it.
    user_id: str
    # The `X-Request-Id` of the request that made it.
    request_id: str
    # The run in the Temporal UI.
    trace_url: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    # The first five; all are at the upload’s own URL.
    messages: list[str]
    # Only of a change of single items: the upload on whose menu it was made.
    changed_from: NotRequired[str]


class UploadEnd(TypedDict):
    upload_id: str
    store_id: int
    integration_id: str
    state: UploadState
    created_at: str
    finished_at: str | None
    next_attempt_at: str | None
    loss_counts: LossCounts
    # The upload whose menu was sent again.
    republished_from: str | None
    # The rollout that it is part of.
    rollout_id: str | None
    # The user who sent it.
    user_id: str
    # The `X-Request-Id` of the request that made it.
    request_id: str
    # The run in the Temporal UI.
    trace_url: str | None
    messages: list[str]
    steps: list[UploadStep]
    # Only of a change of single items: the upload on whose menu it was made.
    changed_from: NotRequired[str]


class Upload(TypedDict):
    upload_id: str
    store_id: int
    integration_id: str
    state: UploadState
    created_at: str
    finished_at: str | None
    next_attempt_at: str | None
    loss_counts: LossCounts
    # The upload whose menu was sent again.
    republished_from: str | None
    # The rollout that it is part of.
    rollout_id: str | None
    # The user who sent it.
    user_id: str
    # The `X-Request-Id` of the request that made it.
    request_id: str
    # The run in the Temporal UI.
    trace_url: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    # Until it ends, what `waiting_for` says.
    messages: list[str]
    # The most severe first. At most 1,000, then `losses_omitted` says how many were left out.
    losses: list[Loss]
    steps: list[UploadStep]
    # Only of a change of single items: the upload on whose menu it was made.
    changed_from: NotRequired[str]


class MenuChangeOutcome(TypedDict):
    # Null: there is nothing to change there.
    upload_id: str | None
    # As it was named in the request.
    integration_id: str
    state: UploadState
    way: Literal["items", "menu"] | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    messages: list[str]


class UploadStep(TypedDict):
    name: UploadStepName
    state: UploadStepState
    attempts: int
    started_at: str | None
    finished_at: str | None
    answer: NotRequired[AppAnswer]


class AppAnswer(TypedDict):
    """What the delivery app answered when a step failed."""

    status: int | None
    # Why there was no complete answer.
    error: str | None
    # Its first 2,000 characters, secrets blacked out.
    body: str | None


class Loss(TypedDict):
    """Something that the delivery app will not show as it was sent. `block` stopped the upload."""

    code: str
    severity: LossSeverity
    # JSON Pointer into the body of the upload; empty for `losses_omitted`, and for a field beside the menu.
    pointer: str
    # Null where `pointer` is empty.
    external_id: str | None
    message: str


class PreviewResult(TypedDict):
    """One integration’s view of a menu."""

    integration_id: str
    # Null for an unknown integration.
    app: str | None
    # Whether an upload of this menu would be sent to the app.
    acceptable: bool
    # Why the integration would refuse the menu, with the messages of an upload.
    messages: list[str]
    losses: list[Loss]
    # How much the app would show; null if nothing would be sent.
    counts: ShownCounts | None
    payload_bytes: int | None
    # With `include=shown`.
    shown: NotRequired[Shown | None]
    # With `include=payload`: the app’s own JSON.
    payload: NotRequired[dict[str, Any] | None]
    # With `include=changes`: the first 100.
    changes: NotRequired[MenuChanges | None]


class ShownCounts(TypedDict):
    menus: int
    categories: int
    items: int
    modifier_groups: int
    options: int
    images: int


class ShownMenusCategories(TypedDict):
    external_id: str
    name: str
    description: str | None
    items: list[str]


class ShownMenus(TypedDict):
    identifier: str
    name: str
    description: str | None
    hours: list[ShownHours]
    categories: list[ShownMenusCategories]


class ShownModifierGroupsOptions(TypedDict):
    external_id: str
    # Digits with two implied decimals.
    price: str
    promotion_price: str | None
    min: int | None
    max: int | None


class ShownModifierGroups(TypedDict):
    external_id: str
    min: int
    max: int
    name: str
    options: list[ShownModifierGroupsOptions]


class Shown(TypedDict):
    """What guests see, read back out of what the app is sent, in one form for all apps. Copies have ids of the app’s."""

    menus: list[ShownMenus]
    items: list[ShownItem]
    modifier_groups: list[ShownModifierGroups]


class ShownItemPricesByMenu(TypedDict):
    identifier: str
    # Digits with two implied decimals.
    price: str
    promotion_price: str | None


class ShownItemModifierGroups(TypedDict):
    external_id: str
    min: int
    max: int
    # Units that cost nothing; absent without.
    free_quantity: NotRequired[int]


class ShownItem(TypedDict):
    external_id: str
    name: str
    description: str | None
    image_url: str | None
    # Digits with two implied decimals.
    price: str
    promotion_price: str | None
    prices_by_menu: list[ShownItemPricesByMenu]
    # Null for an item without hours of its own.
    hours: list[ShownHours] | None
    available: bool
    modifier_groups: list[ShownItemModifierGroups]
    # What the app shows of the details; absent without.
    details: NotRequired[ItemDetails]


class ShownHours(TypedDict):
    day: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    periods: list[Period]


class MenuChanges(TypedDict):
    """What makes one menu of another, both as they were sent."""

    # The upload that is compared with. Null: there was none, so everything counts as added.
    against: str | None
    counts: ChangeCounts
    changes: list[MenuChange]


class ChangeCounts(TypedDict):
    added: int
    removed: int
    changed: int


class MenuChange(TypedDict):
    """By POS id, never by position. A list whose order changed is one change with `field` `order`."""

    op: Literal["added", "removed", "changed"]
    kind: Literal["menu", "category", "item", "modifier_group", "option"]
    # Null if the order of one of the menu’s own lists changed.
    external_id: str | None
    # The parent, if a reference to the entity changed.
    within: NotRequired[str]
    # The field that changed, such as `price.value`.
    field: NotRequired[str]
    # The old value of the field, or the whole entity if it was removed.
    before: NotRequired[Any]
    # The new value of the field, or the whole entity if it was added.
    after: NotRequired[Any]


RolloutState: TypeAlias = "Literal[\"running\", \"done\", \"stopped\", \"canceled\", \"reverting\", \"reverted\"]"


TargetState: TypeAlias = "Literal[\"waiting\", \"queued\", \"running\", \"uploaded\", \"partly_uploaded\", \"failed\", \"superseded\", \"canceled\", \"refused\"]"


class RolloutCounts(TypedDict):
    """Targets by state."""

    waiting: int
    queued: int
    running: int
    uploaded: int
    partly_uploaded: int
    failed: int
    superseded: int
    canceled: int
    refused: int


class RolloutRevert(TypedDict):
    """The targets by their state since the rollout was taken back; null before."""

    waiting: int
    reverted: int
    failed: int
    not_live: int
    without_previous: int


class Rollout(TypedDict):
    rollout_id: str
    state: RolloutState
    parallel: int
    # 0: never.
    stop_after_failures: int
    created_at: str
    finished_at: str | None
    # Targets by state.
    counts: RolloutCounts
    # The targets by their state since the rollout was taken back; null before.
    revert: RolloutRevert | None


class RolloutTarget(TypedDict):
    # As it was sent, if it names no store.
    store_id: int | float | str
    integration_id: str
    state: TargetState
    # Null where no upload could be made.
    upload_id: str | None
    # Why its upload has not ended.
    waiting_for: WaitingFor | None
    messages: list[str]
    # Whether the app shows the menu of the rollout.
    live: bool


class CreatedStore(TypedDict):
    id: int
    name: str
    # The country’s English name.
    country: str
    direction: str | None
    location_point: LocationPoint | None
    # IANA name.
    time_zone: str | None


class Store(TypedDict):
    id: int
    name: str
    # The country’s English name.
    country: str
    direction: str | None
    location_point: LocationPoint | None
    # IANA name.
    time_zone: str | None
    availability_from_stock: Literal["off", "on"]


class Found(TypedDict):
    kind: Literal["store", "upload", "delivery", "rollout", "inventory_system", "item"]
    # Of an item its external id.
    id: str
    # What it is called, for people.
    title: str
    # Null for what has no states.
    state: str | None
    # The path where the API has it.
    url: str


class InventorySystemInventorySystemDetails(TypedDict):
    name: str


class InventorySystem(TypedDict):
    inventory_system_id: str
    inventory_system_details: InventorySystemInventorySystemDetails


class StoreLinkAnswer(TypedDict):
    inventory_system_id: str
    store_id: int
    external_store_id: str


class StoreIntegration(TypedDict):
    integration_id: str
    name: str
    # The delivery app.
    app: str
    active: bool
    # Whether the store has a credential for this app.
    has_token: bool
    # The store’s id in the delivery app.
    delivery_id: str | None
    # The upload that the app shows.
    live_upload_id: str | None
    # Null: the store takes orders there.
    paused: StorePauseState | None


class LiveMenu(TypedDict):
    integration_id: str
    # Null if no menu has been live yet.
    upload_id: str | None
    live_since: str | None
    drift: Drift


class CheckedMenu(TypedDict):
    store_id: int
    integration_id: str
    upload_id: str | None
    live_since: str | None
    drift: Drift
    # The first ones, in the form of the changes between two uploads.
    changes: list[dict[str, Any]]


class Drift(TypedDict):
    """Whether the app still showed this menu when it was read last."""

    state: Literal["unknown", "same", "changed", "unreadable"]
    checked_at: str | None
    changes_count: int | None


ChangeState: TypeAlias = "Literal[\"queued\", \"running\", \"done\", \"failed\", \"superseded\"]"


class ChangeOutcome(TypedDict):
    change_id: str
    # As it was named in the request.
    integration_id: str
    state: ChangeState
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    # Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale.
    messages: list[str]
    # Only of a pause or its end: the reason that was given.
    reason: NotRequired[str | None]


class AvailabilityChangeView(TypedDict):
    change_id: str
    store_id: int
    integration_id: str
    kind: Literal["items", "pause", "special_days"]
    state: ChangeState
    # Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale.
    messages: list[str]
    # Empty for a change of the whole store.
    items: list[ChangedItem]
    created_at: str
    finished_at: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    # Only of a pause or its end: the reason that was given.
    reason: NotRequired[str | None]


class AvailabilityChangeEnd(TypedDict):
    change_id: str
    store_id: int
    integration_id: str
    kind: Literal["items", "pause", "special_days"]
    state: ChangeState
    # Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale.
    messages: list[str]
    # Empty for a change of the whole store.
    items: list[ChangedItem]
    created_at: str
    finished_at: str | None
    # Only of a pause or its end: the reason that was given.
    reason: NotRequired[str | None]


class ChangedItem(TypedDict):
    external_id: str
    # `queued`, `running`: the app has not been told, or has not answered.
    state: Literal["queued", "running", "done", "failed", "superseded"]
    message: str | None


class UnavailableItem(TypedDict):
    external_id: str
    store_id: int
    integration_id: str
    # Null: until it is put back on sale, or for good if its season is over.
    until: str | None
    since: str
    # The holder that keeps it off sale; of several, the first in this order.
    source: Literal["api", "stock", "season"]
    state: Literal["queued", "running", "done", "failed"]
    # What the delivery app said, or why it was not possible; while it waits, what for.
    message: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None


class StoreSpecialDays(TypedDict):
    # Those that were set last and are not over, as they were sent.
    days: list[SpecialDay]
    integrations: list[SpecialDaysInApp]


class SpecialDayPeriods(TypedDict):
    start: str
    end: str


class SpecialDay(TypedDict):
    """Closed, or open in these periods only."""

    date: str
    closed: NotRequired[bool]
    periods: NotRequired[list[SpecialDayPeriods]]
    name: NotRequired[str]


class SpecialDaysInApp(TypedDict):
    integration_id: str
    state: ChangeState
    # Why it failed or waits.
    message: str | None


class StorePauseState(TypedDict):
    since: str
    until: str | None
    reason: str | None
    state: Literal["queued", "running", "done", "failed"]
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None


class Webhook(TypedDict):
    type: WebhookType
    inventory_system_id: str
    url: str
    state: WebhookState
    # The receiver answered 410, five days passed without a success, its owner disabled it, or its owner is deactivated.
    disabled_reason: WebhookDisabledReason | None


class WebhookHealth(TypedDict):
    type: WebhookType
    url: str
    state: WebhookState
    disabled_reason: WebhookDisabledReason | None
    max_in_flight: int
    # Null: no limit.
    max_per_second: int | None
    # Names of the headers that are sent with each request; their values are never shown.
    header_names: list[str]
    health: HealthFigures


class HealthFigures(TypedDict):
    consecutive_failures: int
    failing_since: str | None
    # Nothing is sent until then: ten attempts in a row failed, or the receiver asked for it by Retry-After. If it is in the past, the next attempt is a probe.
    paused_until: str | None
    # How many deliveries wait, counted up to 10,000.
    pending: int
    oldest_pending_at: str | None
    # The latest success among the newest 1,000 deliveries.
    last_success_at: str | None
    # How many attempts were made in the last hour, for deliveries that were made in it or still wait; beyond 1,000 deliveries an estimate from the newest.
    attempts_1h: int
    # How many of them failed.
    failures_1h: int
    # Median duration of these attempts.
    p50_ms: int | None
    # 99th percentile of the duration of these attempts.
    p99_ms: int | None


class EventsWebhook(TypedDict):
    url: str
    events: list[Literal["upload.ended", "rollout.ended", "availability.failed", "menu.drifted", "delivery.failed", "webhook.paused", "webhook.resumed", "webhook.disabled"]]
    state: WebhookState
    disabled_reason: WebhookDisabledReason | None
    max_in_flight: int
    # Null: no limit.
    max_per_second: int | None
    # Names of the headers that are sent with each request; their values are never shown.
    header_names: list[str]
    # Verifies the signatures. Shown only once, when the webhook is new: store it.
    secret: NotRequired[str]


class EventsWebhookHealth(TypedDict):
    url: str
    events: list[Literal["upload.ended", "rollout.ended", "availability.failed", "menu.drifted", "delivery.failed", "webhook.paused", "webhook.resumed", "webhook.disabled"]]
    state: WebhookState
    disabled_reason: WebhookDisabledReason | None
    max_in_flight: int
    # Null: no limit.
    max_per_second: int | None
    # Names of the headers that are sent with each request; their values are never shown.
    header_names: list[str]
    health: HealthFigures


class Delivery(TypedDict):
    delivery_id: str
    # Null for an event.
    inventory_system_id: str | None
    type: WebhookType | EventType
    # Null for a test, and for an event that is not about a single store.
    store_id: int | None
    state: DeliveryState
    attempts_made: int
    next_attempt_at: str | None
    created_at: str
    finished_at: str | None
    receiver_status: int | None
    # The latest message of the receiver.
    message: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None


class DeliveryEnd(TypedDict):
    delivery_id: str
    # Null for an event.
    inventory_system_id: str | None
    type: WebhookType | EventType
    # Null for a test, and for an event that is not about a single store.
    store_id: int | None
    state: DeliveryState
    attempts_made: int
    next_attempt_at: str | None
    created_at: str
    finished_at: str | None
    receiver_status: int | None
    # The latest message of the receiver.
    message: str | None


class DeliveryWithAttempts(TypedDict):
    delivery_id: str
    # Null for an event.
    inventory_system_id: str | None
    type: WebhookType | EventType
    # Null for a test, and for an event that is not about a single store.
    store_id: int | None
    state: DeliveryState
    attempts_made: int
    next_attempt_at: str | None
    created_at: str
    finished_at: str | None
    receiver_status: int | None
    # The latest message of the receiver.
    message: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    attempts: list[Attempt]


class DeliveryWithPayload(TypedDict):
    delivery_id: str
    # Null for an event.
    inventory_system_id: str | None
    type: WebhookType | EventType
    # Null for a test, and for an event that is not about a single store.
    store_id: int | None
    state: DeliveryState
    attempts_made: int
    next_attempt_at: str | None
    created_at: str
    finished_at: str | None
    receiver_status: int | None
    # The latest message of the receiver.
    message: str | None
    # Why it has not ended; null: it has ended, or is being worked on.
    waiting_for: WaitingFor | None
    attempts: list[Attempt]
    # Where the payload is, if it is over 256 KB.
    payload_url: str | None
    # As the receiver got it last. Null before the first attempt, and over 256 KB.
    payload: Any


class Attempt(TypedDict):
    number: int
    started_at: str
    duration_ms: int
    status: int | None
    # Why there is no whole answer: a code.
    error: str | None
    # What is wrong, in words.
    detail: str | None
    # First 1 KB of the answer.
    response: str | None


class EventDelivery(TypedDict):
    delivery_id: str
    inventory_system_id: str
    state: DeliveryState


class EventDeliveryOutcome(TypedDict):
    delivery_id: str
    inventory_system_id: str
    state: DeliveryState
    receiver_status: int | None
    message: str | None


class ItemDataMessage(TypedDict):
    now: str
    inventory_system_id: str
    units: list[Any]
    items: list[Any]
    suppliers: list[Any]
    # The store’s id in the inventory system.
    store_id: str


class StockMessage(TypedDict):
    now: str
    inventory_system_id: str
    # The item’s id in the POS.
    external_id: str
    current_stock: str
    quantity: str
    date: str
    movement_type: Literal[1, 2]
    # The store’s id in the inventory system.
    store_id: str


class DriftedMenu(TypedDict):
    store_id: int
    integration_id: str
    upload_id: str | None
    live_since: str | None
    drift: Drift


class WebhookChange(TypedDict):
    type: WebhookType
    inventory_system_id: str
    url: str
    state: WebhookState
    disabled_reason: WebhookDisabledReason | None
    paused_until: str | None


class MeAnswerDataToken(TypedDict):
    token_id: str
    # Null: it does not expire.
    expires_at: str | None


class MeAnswerData(TypedDict):
    user_id: str
    name: str
    permissions: list[Literal["inventory:create", "pos:events", "operator", "support"]]
    token: MeAnswerDataToken


class MeAnswer(TypedDict):
    message: str
    data: MeAnswerData


class SearchAnswer(TypedDict):
    message: str
    data: list[Found]


UploadMenuAnswer200: TypeAlias = "Done"


class UploadMenuAnswer202(TypedDict):
    message: str
    data: AcceptedUpload


class ChangeMenusAnswer200(TypedDict):
    message: str
    data: MenuChangeOutcomes


class ChangeMenusAnswer202(TypedDict):
    message: str
    data: MenuChangeOutcomes


class PreviewMenuAnswerData(TypedDict):
    results: list[PreviewResult]


class PreviewMenuAnswer(TypedDict):
    message: str
    data: PreviewMenuAnswerData


class GetUploadAnswer(TypedDict):
    message: str
    data: Upload


class ListUploadsAnswer(TypedDict):
    message: str
    data: list[UploadSummary]
    # Null on the last page.
    next_cursor: str | None


class GetUploadMenuAnswer(TypedDict):
    message: str
    data: MenuUpload


GetUploadPayloadAnswer: TypeAlias = "PayloadAnswer"


class GetUploadShownAnswer(TypedDict):
    message: str
    data: Shown


class GetUploadChangesAnswer(TypedDict):
    message: str
    data: MenuChanges
    # Null on the last page.
    next_cursor: str | None


RepublishUploadAnswer200: TypeAlias = "Done"


class RepublishUploadAnswer202(TypedDict):
    message: str
    data: AcceptedUpload


class CancelUploadAnswer(TypedDict):
    message: str
    data: Upload


class ListLiveMenusAnswer(TypedDict):
    message: str
    data: list[LiveMenu]
    # Null on the last page.
    next_cursor: str | None


class CheckLiveMenuAnswer200(TypedDict):
    message: str
    data: CheckedMenu


CheckLiveMenuAnswer202: TypeAlias = "Done"


class ChangeAvailabilityAnswer200(TypedDict):
    message: str
    data: ChangeOutcomes


class ChangeAvailabilityAnswer202(TypedDict):
    message: str
    data: ChangeOutcomes


class ListUnavailableAnswer(TypedDict):
    message: str
    data: list[UnavailableItem]
    # Null on the last page.
    next_cursor: str | None


class GetAvailabilityChangeAnswer(TypedDict):
    message: str
    data: AvailabilityChangeView


class StartRolloutAnswer(TypedDict):
    message: str
    data: AcceptedRollout


class ListRolloutsAnswer(TypedDict):
    message: str
    data: list[Rollout]
    # Null on the last page.
    next_cursor: str | None


class GetRolloutAnswer(TypedDict):
    message: str
    data: Rollout


class ListRolloutTargetsAnswer(TypedDict):
    message: str
    data: list[RolloutTarget]
    # Null on the last page.
    next_cursor: str | None


class CancelRolloutAnswer(TypedDict):
    message: str
    data: Rollout


class RevertRolloutAnswer(TypedDict):
    message: str
    data: AcceptedRollout


class CreateStoreAnswer(TypedDict):
    message: str
    data: CreatedStore


class ListStoresAnswer(TypedDict):
    message: str
    data: list[Store]
    # Null on the last page.
    next_cursor: str | None


class GetStoreAnswer(TypedDict):
    message: str
    data: Store


class ChangeStoreAnswer(TypedDict):
    message: str
    data: Store


DeleteStoreAnswer: TypeAlias = "Done"


class ListStoreIntegrationsAnswer(TypedDict):
    message: str
    data: list[StoreIntegration]
    # Null on the last page.
    next_cursor: str | None


class StoreTimelineAnswer(TypedDict):
    message: str
    data: list[TimelineEntry]
    # Null on the last page.
    next_cursor: str | None


class PauseStoreAnswer200(TypedDict):
    message: str
    data: ChangeOutcomes


class PauseStoreAnswer202(TypedDict):
    message: str
    data: ChangeOutcomes


class ResumeStoreAnswer200(TypedDict):
    message: str
    data: ChangeOutcomes


class ResumeStoreAnswer202(TypedDict):
    message: str
    data: ChangeOutcomes


class SetSpecialDaysAnswer200(TypedDict):
    message: str
    data: ChangeOutcomes


class SetSpecialDaysAnswer202(TypedDict):
    message: str
    data: ChangeOutcomes


class GetSpecialDaysAnswer(TypedDict):
    message: str
    data: StoreSpecialDays


class CreateInventorySystemAnswer(TypedDict):
    message: str
    data: InventorySystem


class ListInventorySystemsAnswer(TypedDict):
    message: str
    data: list[InventorySystem]
    # Null on the last page.
    next_cursor: str | None


class GetInventorySystemAnswer(TypedDict):
    message: str
    data: InventorySystem


class ChangeInventorySystemAnswer(TypedDict):
    message: str
    data: InventorySystem


DeleteInventorySystemAnswer: TypeAlias = "Done"


class LinkStoreAnswer(TypedDict):
    message: str
    data: StoreLinkAnswer


class ListStoreLinksAnswer(TypedDict):
    message: str
    data: list[StoreLinkAnswer]
    # Null on the last page.
    next_cursor: str | None


class GetStoreLinkAnswer(TypedDict):
    message: str
    data: StoreLinkAnswer


UnlinkStoreAnswer: TypeAlias = "Done"


class ManageWebhookAnswerData(TypedDict):
    type: WebhookType
    inventory_system_id: str
    url: str
    state: WebhookState
    max_in_flight: int
    max_per_second: int | None
    # Names of the headers that are sent with each request; their values are never shown.
    header_names: list[str]
    # Verifies the signatures. Shown only once, when the webhook is new: store it.
    secret: NotRequired[str]


class ManageWebhookAnswer(TypedDict):
    message: str
    data: ManageWebhookAnswerData


class EnableWebhookAnswer(TypedDict):
    message: str
    data: Webhook


class DisableWebhookAnswer(TypedDict):
    message: str
    data: Webhook


class ListWebhooksAnswer(TypedDict):
    message: str
    data: list[WebhookHealth]
    # Null on the last page.
    next_cursor: str | None


DeleteWebhookAnswer: TypeAlias = "Done"


class RotateWebhookSecretAnswer(TypedDict):
    message: str
    data: RotatedSecret


class TestWebhookAnswer(TypedDict):
    message: str
    data: DeliveryWithAttempts


class ManageEventsWebhookAnswer(TypedDict):
    message: str
    data: EventsWebhook


class RotateEventsSecretAnswer(TypedDict):
    message: str
    data: RotatedSecret


class EnableEventsWebhookAnswer(TypedDict):
    message: str
    data: EventsWebhook


class DisableEventsWebhookAnswer(TypedDict):
    message: str
    data: EventsWebhook


DeleteEventsWebhookAnswer: TypeAlias = "Done"


class GetEventsWebhookAnswer(TypedDict):
    message: str
    data: EventsWebhookHealth


class TestEventsWebhookAnswer(TypedDict):
    message: str
    data: DeliveryWithAttempts


class SendItemDataAnswer200(TypedDict):
    message: str
    data: EventDeliveries


class SendItemDataAnswer202(TypedDict):
    message: str
    data: EventDeliveries


class SendStockMovementAnswer200(TypedDict):
    message: str
    data: EventDeliveryOutcomes


class SendStockMovementAnswer202(TypedDict):
    message: str
    data: EventDeliveryOutcomes


UpdatePosStockAnswer200: TypeAlias = "Done"


UpdatePosStockAnswerDefault: TypeAlias = "Any"


class GetDeliveryAnswer(TypedDict):
    message: str
    data: DeliveryWithPayload


GetDeliveryPayloadAnswer: TypeAlias = "PayloadAnswer"


class ListDeliveriesAnswer(TypedDict):
    message: str
    data: list[Delivery]
    # Null on the last page.
    next_cursor: str | None


class ResendDeliveryAnswerData(TypedDict):
    delivery_id: str


class ResendDeliveryAnswer(TypedDict):
    message: str
    data: ResendDeliveryAnswerData


class ResendDeliveriesAnswer200(TypedDict):
    message: str
    data: ResentDeliveries


class ResendDeliveriesAnswer202(TypedDict):
    message: str
    data: ResentDeliveries


class LiveAnswer(TypedDict):
    status: Literal["ok"]


ReadyAnswer: TypeAlias = "Readiness"


OpenapiAnswer: TypeAlias = "dict[str, Any]"
