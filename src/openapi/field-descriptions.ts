/** What each field of a request means, by its name: one name means one thing everywhere, save for those of a body below. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  store_id: 'Id of the store in the platform.',
  integration_id: 'Id of the integration: a delivery app as it is configured here.',
  integration_ids:
    'Ids of the integrations to ask about, 20 at most; all that the store is connected to unless said.',
  against:
    'What the menu is compared with: `previous` (unless said), `live`, or the id of an upload.',
  include: 'Parts of each result, with commas: `shown`, `payload`, `changes`.',
  check_images:
    'Whether images are fetched and judged, as an upload does; without it their URLs are.',
  menus: 'The menus. Only App A takes more than one.',
  categories: 'The categories that the menus name.',
  items: 'Everything that is sold, options included.',
  modifier_groups: 'The choices that items offer; may be empty.',
  skip_unchanged: 'Leave out the push when exactly this menu is live already.',
  state: 'Only those in this state.',
  event: 'What App D tells by this URL: `MENU_APPROVED` or `MENU_REJECTED`.',
  limit: 'Entries per page, 25 unless said.',
  cursor: '`next_cursor` of the page before.',
  name: 'Blanks alone are no name.',
  country_code: 'ISO 3166-1 alpha-2, in any case.',
  direction: 'Where the store is, in words.',
  latitude: 'In degrees. Both coordinates or neither.',
  longitude: 'In degrees. Both coordinates or neither.',
  availability_from_stock:
    'Whether stock decides if items of the store are on sale, from its next movement on: what has none left goes off, `off` puts back what it had taken off.',
  inventory_system_id: 'Id of the inventory system, a UUID; it must be yours.',
  external_store_id: 'Id of the store in the inventory system: what webhooks carry as `store_id`.',
  type: '1 POS item data, 2 stock movements; with `events` the type of an event.',
  events: 'Which events are wanted; null: all, absent: as before, all of a new one.',
  url: 'Where the webhooks go: https, a public address, no credentials, no fragment.',
  max_in_flight: 'Requests under way at a time, 20 unless ever given.',
  max_per_second:
    'Attempts a second at most, spread evenly, retries and probes included; null takes the limit away.',
  headers:
    'Headers that the receiver wants with each request, 10 at most; null or {}: none, absent: as before. Kept encrypted and never shown again.',
  grace_seconds: 'How long the old secret signs as well, a day unless said.',
  pos_id: 'Id of the POS; it must be that of the store.',
  current_stock: 'Stock after the movement, as a decimal string.',
  quantity: 'How much was moved, as a decimal string.',
  date: 'ISO 8601, a date or a date-time; passed on as it came.',
  movement_type: '1 adds, 2 removes.',
  external_id: 'Id of the item in the POS.',
  units: 'Units of measurement as the POS has them; passed on as they are.',
  suppliers: 'Suppliers as the POS has them; passed on as they are.',
  dry_run: 'Count them and send nothing.',
  available: 'Whether it is on sale.',
  until:
    'When it ends by itself: an ISO 8601 date-time with offset, in the future, a year ahead at most.',
  reason: 'Why, in words for the delivery app.',
  change_id: 'From the answer to the change.',
  rollout_id: 'The rollout.',
  targets: 'Where the menu goes: up to 1,000 places.',
  parallel: 'How many targets are at work at once.',
  stop_after_failures: 'After so many failed targets nothing new begins; 0 = never.',
  upload_id: 'From `X-Upload-Id` or from the answer to the upload.',
  delivery_id: 'From the answer to the event, or from the list.',
};

/** Where a name means something else. */
export const DESCRIPTIONS_IN_BODY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DeliveryResend: { events: 'Those of your webhook for events instead of those of your systems.' },
  WebhookManage: { type: '1 POS item data, 2 stock movements.' },
  WebhookSelect: { type: '1 POS item data, 2 stock movements.' },
  WebhookRotate: { type: '1 POS item data, 2 stock movements.' },
  AvailabilityChange: {
    items: 'What goes off sale and what comes back; of a repeated id the last one counts.',
  },
  InventoryItemsEvent: { items: 'Items as the POS has them; passed on as they are.' },
};
