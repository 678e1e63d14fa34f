/** What each field of a request means, by its name. A name means the same everywhere, except in the bodies listed below. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  store_id: 'Id of the store in the platform.',
  integration_id: 'Id of the integration: a delivery app as it is configured here.',
  integration_ids: 'Up to 20 integration ids. Default: all that the store is connected to.',
  against:
    'What the menu is compared with: `previous` (the default), `live`, or the id of an upload.',
  include: 'Parts to add to each result, separated by commas: `shown`, `payload`, `changes`.',
  check_images:
    'Fetch and check the images, as an upload does. Otherwise only their URLs are checked.',
  menus: 'The menus. Only App A takes more than one.',
  categories: 'The categories that the menus name.',
  items: 'Everything that is sold, options included.',
  modifier_groups: 'The choices that items offer; may be empty.',
  skip_unchanged: 'Skips the push if exactly this menu is already live.',
  state: 'Returns only entries in this state.',
  event: 'The event that App D reports at this URL: `MENU_APPROVED` or `MENU_REJECTED`.',
  limit: 'Entries per page. Default: 25.',
  cursor: '`next_cursor` of the previous page.',
  name: 'Must not be blank.',
  country_code: 'ISO 3166-1 alpha-2, upper or lower case.',
  direction: 'How to find the store, in words.',
  latitude: 'In degrees. Both coordinates or neither.',
  longitude: 'In degrees. Both coordinates or neither.',
  time_zone:
    'IANA name of the zone of the store. A `date` of a stock movement without an offset is read in it.',
  availability_from_stock:
    'If on, an item whose stock reaches zero goes off sale, starting with the next movement. Turning it off puts back on sale the items that stock had taken off.',
  inventory_system_id: 'Id of the inventory system, a UUID; it must be yours.',
  external_store_id: 'Id of the store in the inventory system; webhooks send it as `store_id`.',
  type: '1 POS item data, 2 stock movements; with `events`, the type of an event.',
  events:
    'The events to send. `null` means all. If absent, the setting is kept; a new webhook gets all.',
  url: 'Where the webhooks go: https, a public address, no credentials, no fragment.',
  max_in_flight: 'Maximum concurrent requests. Default: 20; once set, it is kept.',
  max_per_second:
    'Maximum attempts per second, retries and probes included. `null` removes the limit.',
  headers:
    'Up to 10 headers to send with each request. `null` or `{}` removes them; if absent, they are kept. Stored encrypted and never shown again.',
  grace_seconds: 'How long the old secret still signs too. Default: one day.',
  pos_id: 'Id of the POS; it must be that of the store.',
  current_stock: 'Stock after the movement, as a decimal string.',
  quantity: 'The amount that was added or removed, as a decimal string.',
  date: 'ISO 8601, a date or a date-time; passed on unchanged.',
  movement_type: '1 adds, 2 removes.',
  external_id: 'Id of the item in the POS.',
  units: 'Units of measurement as the POS has them; passed on unchanged.',
  suppliers: 'Suppliers as the POS has them; passed on unchanged.',
  dry_run: 'Counts the matching deliveries without sending them.',
  available: 'Whether it is on sale.',
  until:
    'In a body, when it ends by itself: an ISO 8601 date-time with offset, at most a year ahead. In a query, only what happened before then.',
  reason: 'The reason, shown to the delivery app.',
  change_id: 'The id of the change, from the answer to the request.',
  since:
    'Returns only what was created, or happened, then or later: an ISO 8601 date-time with offset, whose `+` a URL writes as `%2B`.',
  request_id: 'Returns only what the request with this `X-Request-Id` made.',
  receiver_status: 'Returns only deliveries to which the receiver answered this last.',
  rollout_id: 'The id of the rollout, from the answer to the request.',
  targets: 'Where the menu goes: up to 1,000 places.',
  parallel: 'Maximum number of targets that are uploaded at once.',
  stop_after_failures: 'After this many failed targets no new ones begin; 0 = no limit.',
  upload_id: 'From `X-Upload-Id` or from the answer to the upload.',
  delivery_id: 'From the answer to the event, or from the list.',
};

/** Where a name means something else in a query. */
export const DESCRIPTIONS_IN_QUERY: Readonly<Record<string, string>> = {
  q: 'An id as it is written, or words of a name; case and accents do not matter.',
  external_id: 'Returns only stock movements of this item, by its id in the POS.',
  until: 'Returns only what was created before: an ISO 8601 date-time with offset.',
};

const ANY_INTEGRATIONS = 'Up to 100 integration ids. Default: all that the store is connected to.';

/** Where a name means something else. */
export const DESCRIPTIONS_IN_BODY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DeliveryResend: {
    events:
      'Resends deliveries of your webhook for events instead of those of your inventory systems.',
    store_id: 'Resends only deliveries about this store.',
    external_id: 'Resends only stock movements of this item, by its id in the POS.',
    receiver_status: 'Resends only deliveries to which the receiver answered this last.',
    request_id: 'Resends only what the request with this `X-Request-Id` made.',
    since: 'Resends only what was created from then on: an ISO 8601 date-time with offset.',
    until: 'Resends only what was created before: an ISO 8601 date-time with offset.',
  },
  WebhookManage: { type: '1 POS item data, 2 stock movements.' },
  WebhookSelect: { type: '1 POS item data, 2 stock movements.' },
  WebhookRotate: { type: '1 POS item data, 2 stock movements.' },
  AvailabilityChange: {
    integration_ids:
      'Up to 100 integration ids. Default: all that the store is connected to and that have shown a menu, or where an item is off sale that is put back.',
    items:
      'The items that go off sale or come back on sale. If an id is repeated, the last entry counts.',
  },
  ItemChanges: {
    integration_ids: 'Up to 100 integration ids. Default: all that show a menu of the store.',
    items:
      'What is to change of items, each by its `external_id`; with `options` 1 to 500 elements.',
    options: 'Prices of options in their groups.',
  },
  StorePause: { integration_ids: ANY_INTEGRATIONS },
  SpecialDays: {
    integration_ids: ANY_INTEGRATIONS,
    days: 'All of them, each date once; an empty list takes them away.',
    date: '`yyyy-MM-dd`, a day of the store’s time zone, from today to a year ahead.',
    closed: 'The store is closed all day; else it is open in `periods`.',
    periods: 'The hours in which the store is open, in its time zone.',
    start: '`HH:MM`, from 00:00.',
    end: '`HH:MM`, to 23:59, behind `start`.',
    name: 'How the day is called, for apps that show it.',
  },
  StoreResume: { integration_ids: ANY_INTEGRATIONS },
  InventoryItemsEvent: { items: 'Items as the POS has them; passed on unchanged.' },
};
