import { type AllowList, parseCidrs } from '../outbound/addresses';
import { type OutboundProxy, parseProxy } from '../outbound/proxy';
import {
  boolean,
  duration,
  durations,
  encryptionKey,
  file,
  integer,
  oneOf,
  optional,
  origin,
  type SettingFormat,
  size,
  text,
} from './setting-formats';

export interface Setting<T> extends SettingFormat<T> {
  readonly description: string;
  /** The value of an absent variable; without it, the variable is required. */
  readonly fallback?: string;
}

const cidrs: SettingFormat<AllowList> = { allowed: '', parse: (value) => parseCidrs(value) };

const proxy: SettingFormat<OutboundProxy> = { allowed: '', parse: parseProxy };

/** Every variable that a process reads. The table in docs/settings.md is made from this object. */
export const SETTINGS = {
  HOST: setting('Address to listen on', text, '0.0.0.0'),
  PORT: setting('Port of the API', integer(0, 65_535), '3000'),
  METRICS_PORT: setting(
    'Port of `/metrics`, for the API and for a worker (on one host they need different ports); 0 = the API serves it on PORT, a worker does not',
    integer(0, 65_535),
    '0',
  ),
  DATABASE_URL: setting('Postgres, as `postgres://user:password@host:port/database`', text),
  DATABASE_DIRECT_URL: setting(
    'The same database without the transaction pooler that DATABASE_URL goes through, for LISTEN and migrations; empty = there is no such pooler',
    optional(text),
    '',
  ),
  TEMPORAL_ADDRESS: setting('Temporal frontend, `host:port`', text, '127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: setting('Temporal namespace', text, 'default'),
  TEMPORAL_TLS: setting('Whether to talk to Temporal over TLS', boolean, 'false'),
  TEMPORAL_TLS_CA: setting(
    'File with the certificates (PEM) of the authorities that may sign Temporal’s; empty = those of the system',
    optional(file),
    '',
  ),
  TEMPORAL_TLS_CERT: setting(
    'File with our own certificate (PEM) for Temporal; needs its key',
    optional(file),
    '',
  ),
  TEMPORAL_TLS_KEY: setting('File with the key (PEM) of that certificate', optional(file), ''),
  TEMPORAL_API_KEY: setting('API key for Temporal, sent with each call', optional(text), ''),
  TEMPORAL_UI_URL: setting(
    'Origin of the Temporal UI, for `trace_url`; empty = no link',
    optional(text),
    '',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'Origin of an OpenTelemetry collector (OTLP over HTTP) for traces; empty = none',
    optional(text),
    '',
  ),
  ENCRYPTION_KEY: setting('Key of the secrets at rest: base64 of 32 bytes', encryptionKey),
  ENCRYPTION_KEY_PREVIOUS: setting(
    'The previous key, until `admin secrets rotate` has run',
    optional(encryptionKey),
    '',
  ),
  DELIVERY_APP_TIMEOUT: setting(
    'Deadline of one request to a delivery app',
    // The tries of a push with all their requests have eight minutes (`startToCloseTimeout` of `pushMenu`).
    duration('100ms', '45s'),
    '30s',
  ),
  APP_C_SETTLE: setting(
    'How long a push to App C without a readable answer keeps newer menus of its store waiting: App C may still carry it out',
    // At most as long as we wait for a known task: there is no reason to wait longer for an unknown one.
    duration('1s', '30m'),
    '10m',
  ),
  DRIFT_CHECK_EVERY: setting(
    'How often live menus are read back from readable delivery apps, spread over the interval; empty = only on request',
    optional(duration('10s', '30d')),
    '',
  ),
  TRANSFORM_TIMEOUT: setting(
    'Deadline for transforming one menu for a delivery app in a thread; past it the upload fails',
    // Together with the wait for a thread it must stay below the 60 s of the step.
    duration('100ms', '30s'),
    '10s',
  ),
  // No proxy holds an unanswered request for longer than the maximum of these two.
  UPLOAD_WAIT: setting(
    'How long an upload request waits for its outcome',
    duration('0s', '5m'),
    '25s',
  ),
  ACK_WAIT: setting(
    'How long a stock event request waits for acknowledgements',
    duration('0s', '1m'),
    '5s',
  ),
  WAITING_REQUESTS: setting(
    'Requests of one API process that wait for an outcome at once; the next one gets its 202 at once. As many stock updates, but at least 100, may wait for a POS; the next one is answered 503',
    integer(0, 1_000_000),
    '5000',
  ),
  WORKING_REQUESTS: setting(
    'Requests with a body that one API process works on at once, not counting those that wait for an outcome; the next one is answered 503',
    integer(1, 1_000_000),
    '1000',
  ),
  BODY_MEMORY: setting(
    'Bytes of request bodies, unpacked, that one API process holds at once; the next one is answered 503',
    // The largest body alone is 10 MB.
    size('10MB', '64GB'),
    '256MB',
  ),
  IMAGE_POLICY: setting(
    'Images outside of App A’s rules: leave them out or refuse the menu',
    oneOf('drop', 'refuse'),
    'drop',
  ),
  MENU_EQUAL_QUANTITIES: setting(
    'Whether a min quantity may equal the max quantity',
    oneOf('refuse', 'accept'),
    'refuse',
  ),
  MENU_ZERO_PRICES: setting(
    'Whether items, data items and options may cost "0"; a promotion never may',
    oneOf('refuse', 'accept'),
    'refuse',
  ),
  APP_C_LEVELS: setting(
    'How deep modifier groups may nest in App C: one level, unless the app has granted more',
    integer(1, 6),
    '1',
  ),
  APP_A_PRICE_UNIT: setting(
    'How App A counts money of a currency without decimals, or with three: in hundredths, as its upload page says, or in its lowest denomination (whole units, thousandths), as its item page does. Check one price in the app after the first menu of such a country',
    oneOf('hundredth', 'lowest'),
    'hundredth',
  ),
  APP_A_MAXIMUM_PRICE: setting(
    'Highest price that App A takes, in `APP_A_PRICE_UNIT`; empty = not checked',
    optional(integer(1, 999_999_999)),
    '',
  ),
  APP_D: setting(
    'Menus to App D: refuse them, or send them by the menu API that Rappi publishes',
    oneOf('refuse', 'rappi'),
    'refuse',
  ),
  APP_D_PRICE_UNIT: setting(
    'How App D counts money: in whole units of the currency, as in its examples, or in decimal numbers. Check one price in the app after the first menu',
    oneOf('unit', 'decimal'),
    'unit',
  ),
  APP_D_TOKEN_URL: setting(
    'Origin of App D’s token call; empty = that of Mexico for Mexico’s base URL, else the base URL',
    optional(text),
    '',
  ),
  WEBHOOK_TIMEOUT: setting(
    'Deadline of one webhook request',
    // A request may take twice as long (type 1), and a claim is kept for that.
    duration('100ms', '60s'),
    '10s',
  ),
  WEBHOOK_RETRY_SCHEDULE: setting(
    'Delays before the 2nd, 3rd, … attempt of a delivery',
    durations('10ms', '7d', 50),
    '1s,5s,30s,2m,10m,1h,3h,6h,12h,24h',
  ),
  WEBHOOK_MEMORY: setting(
    'Bytes of webhook payloads that one worker holds at once; what does not fit is claimed later',
    // The largest payload, 10 MB, must fit into the share for large ones.
    size('16MB', '64GB'),
    '128MB',
  ),
  WEBHOOK_ALLOW_HTTP: setting('Whether a webhook URL may be plain http', boolean, 'false'),
  OUTBOUND_ALLOW_CIDRS: setting(
    'Networks that are not public but may be called, comma-separated',
    cidrs,
    '',
  ),
  OUTBOUND_PROXY: setting(
    'HTTP proxy that every call to apps, receivers, image hosts and POS systems goes through by CONNECT, as `http://user:password@host:port`; empty = none',
    optional(proxy),
    '',
  ),
  RATE_LIMIT_PER_SECOND: setting(
    'Requests per second and token; bursts of twice that',
    integer(1, 1_000_000),
    '2000',
  ),
  TRUSTED_PROXIES: setting(
    'Networks of the proxies whose `X-Forwarded-For` is trusted, comma-separated; empty = the peer is the client',
    cidrs,
    '',
  ),
  RETENTION_DAYS: setting(
    'How long finished deliveries and uploads are kept',
    integer(1, 3650),
    '30',
  ),
  CONSOLE: setting('Pages for operators, at `/console`', oneOf('on', 'off'), 'on'),
  PUBLIC_URL: setting(
    'Origin at which people reach the console, `https://host`, for sign-in links; empty = no links can be made',
    optional(origin),
    '',
  ),
  LOG_LEVEL: setting(
    'Lowest level that is logged',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
  ),
} as const;

function setting<T>(description: string, format: SettingFormat<T>, fallback?: string): Setting<T> {
  return fallback === undefined ? { description, ...format } : { description, ...format, fallback };
}
