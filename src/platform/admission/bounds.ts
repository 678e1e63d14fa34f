import type { BoundRow } from './bound-row';

const BUSY = '503 `The service is busy.`';
const MEGABYTE = 1_048_576;

/**
 * Every bound of a process, by the value that the label `bound` of its metrics has. docs/bounds.md is made from it, the
 * code has its limits from it, and a test goes through it.
 */
export const BOUNDS = {
  body_memory: {
    what: 'request bodies, unpacked, from the bytes that have arrived until the row is written; stored texts and answers made of them',
    key: 'user',
    share: 'three quarters',
    setting: 'BODY_MEMORY',
    unit: 'bytes',
    answer: BUSY,
  },
  // Apart from `BODY_MEMORY`, so that strangers take nothing from callers.
  unknown_senders_memory: {
    what: 'bodies whose senders are known by them: callbacks of apps, of 1 MB at most, and sign-ins',
    key: 'address',
    share: 'three quarters',
    limit: 16 * MEGABYTE,
    unit: 'bytes',
    answer: BUSY,
  },
  // Past what a process can do, requests would wait ever longer behind slow statements; accepted ones are answered.
  working_requests: {
    what: 'requests with a body, and republishing, from the end of the body until the row is written or the answer',
    key: 'user or address',
    share: 'three quarters',
    setting: 'WORKING_REQUESTS',
    answer: `${BUSY}, before the body is read`,
  },
  // They wait for the same connections as those with a body, and are far more than these can serve; they hold little.
  requests_without_body: {
    what: 'requests without a body, until their row is written or their answer',
    key: 'user',
    share: 'three quarters',
    limit: 1_000,
    answer: BUSY,
  },
  // A waiting request holds some 10 KB for up to half a minute, as a hanging app makes it. Past the bound the row is
  // safe all the same, and the answer says where its status is.
  waiting_requests: {
    what: 'requests that wait for an outcome',
    key: 'user',
    share: 'three quarters',
    setting: 'WAITING_REQUESTS',
    answer: '202 at once',
  },
  // Past it an update can only be refused, as it has no row.
  waiting_pos_updates: {
    what: 'stock updates that wait for a POS; 100 at least',
    key: 'user',
    share: 'half',
    setting: 'WAITING_REQUESTS',
    answer: `${BUSY}, and nothing is sent`,
  },
  waiting_bodies: {
    what: 'bodies that wait for the thread for large ones, or for that for patient ones, up to 20 s',
    key: 'user',
    share: 'three quarters',
    limit: 1_000,
    unit: 'bodies',
    answer: BUSY,
  },
  inflating_bodies: {
    what: 'gzip bodies that unpack to more than 256 KB: one is unpacked at a time, the others wait up to 20 s',
    key: 'user or address',
    share: 'three quarters',
    limit: 1_000,
    unit: 'bodies',
    answer: BUSY,
  },
  waiting_previews: {
    what: 'previews, comparisons and menus as shown that wait for a thread, up to 20 s',
    key: 'user',
    share: 'three quarters',
    limit: 200,
    unit: 'menus',
    answer: BUSY,
  },
  waiting_menus: {
    what: 'large menus that wait for a thread, up to 20 s',
    process: 'worker',
    key: 'user',
    share: 'three quarters',
    limit: 200,
    unit: 'menus',
    answer: 'tried again later',
  },
  connections: {
    what: 'connections to Postgres, for statements of requests; the service’s own work may have all',
    key: 'user',
    share: 'three quarters',
    limit: 20,
    unit: 'connections',
    answer: 'waits, its user in turn with others, up to 15 s; then 503 `Something went wrong.`',
  },
  // So that Postgres has time for others: beside 24 rollouts of 1,000 targets a stock update took two seconds.
  large_inserts: {
    what: 'statements that write a rollout or resend deliveries; one of a user, and after each a rest as long',
    key: 'user',
    share: 'key by key',
    limit: 2,
    unit: 'statements',
    answer: `waits, its user in turn with others, up to 20 s; then ${BUSY}`,
  },
  stranger_requests_of_a_user: {
    what: 'requests that ask strangers: 8 at work and 500 that wait, up to 20 s',
    key: 'user',
    limit: 508,
    answer: BUSY,
  },
  text_reads_of_a_user: {
    what: 'requests for stored texts: 8 at work and 500 that wait, up to 20 s',
    key: 'user',
    limit: 508,
    answer: BUSY,
  },
  pages_of_a_user: {
    what: 'pages of the console, of large lists and of searches: 2 at work and 500 that wait, up to 20 s',
    key: 'user',
    limit: 502,
    unit: 'pages',
    answer: BUSY,
  },
  // A browser asks for six at once. Apart from pages, which would wait for pictures that never come.
  pictures_of_a_user: {
    what: 'pictures of menus on pages of the console: 6 at work and 500 that wait, up to 20 s',
    key: 'user',
    limit: 506,
    unit: 'pictures',
    answer: BUSY,
  },
  pictures_of_a_host: {
    what: 'pictures that are fetched for the console: 16 at work, 4 of them of one host, and 484 that wait, up to 20 s',
    key: 'host',
    share: 'three quarters',
    limit: 500,
    unit: 'pictures',
    answer: BUSY,
  },
  // Each is a series of statements of up to a second, over millions of deliveries: twenty would hold every connection.
  resends_of_a_user: {
    what: 'resends and counts by filter',
    key: 'user',
    limit: 2,
    answer: BUSY,
  },
  token_lookups: {
    what: 'tokens that are looked up: 10 at work and 5,000 that wait, up to 5 s',
    key: 'address',
    share: 'half',
    limit: 5_010,
    answer: BUSY,
  },
  signature_checks: {
    what: 'signatures of callbacks that are checked: 10 at work and 5,000 that wait, up to 5 s',
    key: 'address',
    share: 'half',
    limit: 5_010,
    answer: BUSY,
  },
  failed_authentications: {
    what: 'failed authentications a minute',
    key: 'address',
    limit: 100,
    answer: '429 `Too many requests.` to bad tokens',
  },
  bad_signatures: {
    what: 'bad signatures a minute',
    key: 'address',
    limit: 100,
    answer: '429 `Too many requests.` to bad signatures',
  },
  rate_limit: {
    what: 'requests a second; bursts of twice that',
    key: 'token',
    setting: 'RATE_LIMIT_PER_SECOND',
    answer: '429 `Too many requests.`',
  },
  body_values: {
    what: 'members and elements of a body',
    key: 'one body',
    limit: 500_000,
    unit: 'values',
    answer: '400',
  },
  store_links: {
    what: 'inventory systems of a store',
    key: 'one store',
    limit: 64,
    unit: 'systems',
    answer: '409',
  },
  payload_bytes: {
    what: 'a payload for a delivery app',
    process: 'worker',
    key: 'one payload',
    limit: 16 * MEGABYTE,
    unit: 'bytes',
    answer: 'a blocking loss',
  },
  losses: {
    what: 'losses of an upload',
    process: 'worker',
    key: 'one upload',
    limit: 1_000,
    unit: 'losses',
    answer: 'the others are counted',
  },
  image_seconds: {
    what: 'checking the images of an upload',
    process: 'both',
    key: 'one upload',
    limit: 30,
    unit: 'seconds',
    answer: 'left out, `image_not_checked`',
  },
  pushes_to_an_integration: {
    what: 'pushes in flight, at most; 50 unless configured',
    process: 'worker',
    key: 'integration',
    limit: 500,
    unit: 'pushes',
    answer: 'waits in its row',
  },
  prompt_pushes: {
    what: 'pushes that hold a workflow task, for a second each',
    process: 'worker',
    key: 'integration',
    share: 'three quarters',
    limit: 50,
    unit: 'pushes',
    answer: 'a normal activity at once',
  },
  // Each costs as many statements, and heartbeats: with 1,000 at once, a statement of anything else waited 200 ms.
  rollouts_at_work: {
    what: 'rollouts that are looked at four times a second',
    process: 'worker',
    key: 'user',
    share: 'half',
    limit: 50,
    unit: 'rollouts',
    answer: 'a look every 2 to 30 s',
  },
  webhook_memory: {
    what: 'payloads of webhooks while their requests are out; a webhook has 20 in flight, or as many as registered',
    process: 'worker',
    key: 'webhook',
    share: 'key by key',
    setting: 'WEBHOOK_MEMORY',
    unit: 'bytes',
    answer: 'claimed later',
  },
} as const satisfies Record<string, BoundRow>;

/** The values of the label `bound`. */
export type BoundName = keyof typeof BOUNDS;
