import { AVAILABILITY_GUARANTEES } from './guarantees-of-availability';
import { VERSION_GUARANTEES } from './guarantees-of-versions';
import { WEBHOOK_GUARANTEES } from './guarantees-of-webhooks';
import type { Guarantee, Proof } from './guarantee';

const CHAOS: Proof = { file: 'test/faults/chaos.test.ts' };

/** The promises of the service. docs/guarantees.md is written from this list, and `npm run guarantees` runs it. */
export const GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'An accepted upload ends with its menu in the app, with the app’s own reason, superseded by a newer one, or canceled by a caller or because its store was deleted.',
    attack:
      'Every process is killed and frozen in random order, the connection to Postgres is slow, cut or silent, and Temporal loses its data; a model says what each store must show.',
    proofs: [
      CHAOS,
      { file: 'test/faults/api-crash.test.ts' },
      { file: 'test/faults/worker-crash.test.ts' },
      { file: 'test/faults/temporal-away.test.ts' },
    ],
  },
  {
    promise: 'Of several menus for one store and app, the one accepted last is shown in the end.',
    attack:
      'Thirty versions at once to each app; an API that stalls between its row and its wake; pushes whose answer is lost.',
    proofs: [
      CHAOS,
      { file: 'test/faults/newest-wins.test.ts' },
      { file: 'test/faults/frozen-worker.test.ts' },
      { file: 'test/faults/settling-push.test.ts' },
    ],
  },
  {
    promise: 'One push at a time goes to a store in an app.',
    attack: 'The simulated apps count requests that overlap, while workers are killed and frozen.',
    proofs: [
      CHAOS,
      {
        file: 'test/faults/newest-wins.test.ts',
        titles: ['one push at a time, the last accepted one wins, and every caller gets an answer'],
      },
      {
        file: 'test/activities/upload-steps.test.ts',
        titles: [
          'an attempt that was taken over does nothing in any step, and never calls the app',
        ],
      },
      { file: 'test/activities/upload-push-calls.test.ts' },
      { file: 'test/activities/upload-push-beside.test.ts' },
    ],
  },
  ...VERSION_GUARANTEES,
  ...AVAILABILITY_GUARANTEES,
  {
    promise: 'A menu is reported as uploaded only when the app has it.',
    attack:
      'Answers that are cut, unreadable, redirected, endless or false; tasks that succeed and refuse items.',
    proofs: [
      { file: 'test/faults/app-faults.test.ts' },
      { file: 'test/delivery-apps/app-a.test.ts' },
      { file: 'test/delivery-apps/app-b.test.ts' },
      { file: 'test/delivery-apps/app-c.test.ts' },
      { file: 'test/unit/app-c-task-outcome.test.ts' },
    ],
  },
  {
    promise: 'An accepted event reaches each receiver at least once, always under the same id.',
    attack:
      'Workers, Postgres and Temporal are killed with hundreds of deliveries in flight; announcements are lost.',
    proofs: [
      CHAOS,
      { file: 'test/workflows/webhook-shard-crash.test.ts' },
      { file: 'test/workflows/webhook-shard-freeze.test.ts' },
      { file: 'test/faults/webhook-servers-away.test.ts' },
      { file: 'test/activities/consumer-fencing.test.ts' },
      { file: 'test/activities/consumer-frozen.test.ts' },
      { file: 'test/activities/consumer-outage.test.ts' },
      { file: 'test/activities/consumer-kept-shards.test.ts' },
      { file: 'test/activities/consumer-lost-claims.test.ts' },
      { file: 'test/activities/consumer-sharing.test.ts' },
    ],
  },
  {
    promise:
      'The platform gets an event exactly for what happened: none without its cause, and none is lost.',
    attack:
      'Workers killed before, during and after writing an end; statements that are rolled back; events of every kind, sent to the right users once and in order.',
    proofs: [
      { file: 'test/faults/events-crash.test.ts' },
      { file: 'test/http/platform-events.test.ts' },
      { file: 'test/http/webhook-events.test.ts' },
      { file: 'test/http/availability-events.test.ts' },
      { file: 'test/activities/consumer-events.test.ts' },
    ],
  },
  {
    promise: 'Deliveries of one subscription start in the order of their events.',
    attack: 'Many events at once, retries in between, several workers.',
    proofs: [
      {
        file: 'test/activities/consumer.test.ts',
        titles: [
          'due deliveries go out in order of creation, signed and recorded with their attempts, and nothing is left',
          'deliveries of a subscription start in order of creation, as many at once as it allows',
        ],
      },
      {
        file: 'test/http/pos-events.test.ts',
        titles: ['sequence numbers of a subscription grow in the order of its events'],
      },
    ],
  },
  {
    promise: 'A slow or dead receiver delays no other receiver.',
    attack:
      'Fifty hanging receivers on one host beside a healthy one; outcomes that Postgres refuses.',
    proofs: [
      { file: 'test/activities/consumer-isolation.test.ts' },
      { file: 'test/activities/consumer-breaker.test.ts' },
      { file: 'test/activities/refused-outcomes.test.ts' },
    ],
  },
  {
    promise: 'A hanging app or token endpoint delays no other integration.',
    attack:
      'An app that never answers hundreds of pushes, a token endpoint that never answers, next to others that do.',
    proofs: [
      { file: 'test/faults/hanging-app.test.ts' },
      { file: 'test/activities/app-tokens.test.ts' },
    ],
  },
  {
    promise:
      'Work whose announcement was lost is found within a minute, even if Temporal has lost everything.',
    attack:
      'The run of the sweep is terminated, its worker stops, Postgres goes away during a round.',
    proofs: [
      { file: 'test/faults/lost-sweep.test.ts' },
      { file: 'test/activities/sweep.test.ts' },
      { file: 'test/db/uploads.test.ts' },
    ],
  },
  {
    promise: 'The work of a killed worker is taken over within three seconds.',
    attack:
      'SIGKILL during a push and while deliveries are sent; times are measured by the database’s clock.',
    proofs: [
      { file: 'test/faults/takeover.test.ts' },
      {
        file: 'test/workflows/webhook-shard-takeover.test.ts',
        titles: ['another worker takes over a killed worker’s deliveries within about a second'],
      },
    ],
  },
  {
    promise:
      'No process exits because Postgres or Temporal is away; callers get 503 with Retry-After, and work resumes within 5 s.',
    attack: 'Connections are refused, cut during statements, and silent; Postgres is read-only.',
    proofs: [
      CHAOS,
      { file: 'test/http/postgres-away.test.ts' },
      { file: 'test/faults/postgres-away.test.ts' },
      { file: 'test/db/pool-outages.test.ts' },
    ],
  },
  {
    promise: 'A request repeated with its idempotency key is done once and gets the same answer.',
    attack:
      'The API dies before its row, before its wake and before its answer; leases are lost; bodies differ.',
    proofs: [
      { file: 'test/api-contract/idempotency.test.ts' },
      { file: 'test/faults/api-crash.test.ts' },
      { file: 'test/http/pos-events-durability.test.ts' },
    ],
  },
  {
    promise:
      'A route answers only the callers that its declaration names, and only at the exact spelling of its path.',
    attack:
      'Every route × no token, bad, expired, revoked, deactivated, deleted, another user’s × spellings of its path.',
    proofs: [{ file: 'test/http/access.test.ts' }, { file: 'test/unit/declared-routes.test.ts' }],
  },
  {
    promise: 'No request causes a 5xx of ours, hangs, or exhausts a process.',
    attack:
      'Thousands of requests made from the declarations; smuggled, endless, slow and flooding ones over raw sockets; gzip and JSON bombs.',
    proofs: [
      { file: 'test/http/fuzz.test.ts' },
      { file: 'test/http/raw-socket-framing.test.ts' },
      { file: 'test/http/raw-socket-patience.test.ts' },
      { file: 'test/http/body-bounds.test.ts' },
      { file: 'test/http/body-memory.test.ts' },
      { file: 'test/http/server.test.ts' },
    ],
  },
  {
    promise: 'Work on a menu is linear in its bytes and never blocks an event loop.',
    attack:
      'A seeded search for bad shapes counts reads at n and 2n; menus of 10 MB; a transform that never ends.',
    proofs: [
      { file: 'test/unit/linear-reads.test.ts' },
      { file: 'test/unit/linear-time.test.ts' },
      { file: 'test/activities/upload-preparation.test.ts' },
    ],
  },
  {
    promise: 'A preview says what an upload would say, and writes nothing.',
    attack:
      'Every rule of a menu, every refusal of an integration and every blocking loss, compared between both; rows counted before and after.',
    proofs: [
      { file: 'test/api-contract/menu-preview.test.ts' },
      { file: 'test/api-contract/menu-refusals.test.ts' },
    ],
  },
  {
    promise:
      'Everything that an app will not show as sent is a loss with its position, at most 1,000, and each loss stands for a difference.',
    attack:
      'Random menus for each app, read back from their payloads and compared with what was sent; menus with 100,000 losses.',
    proofs: [
      { file: 'test/unit/app-a-what-guests-see.test.ts' },
      { file: 'test/unit/app-c-properties.test.ts' },
      { file: 'test/unit/shown.test.ts' },
      { file: 'test/unit/delivery-app-losses.test.ts' },
    ],
  },
  {
    promise: 'No request leaves for an address that is not public, unless the operator allows it.',
    attack:
      'Private, mapped and special addresses, names that change their address between check and call, redirects.',
    proofs: [
      { file: 'test/unit/outbound/addresses.test.ts' },
      { file: 'test/unit/outbound/check-url.test.ts' },
      { file: 'test/unit/outbound/guard.test.ts' },
      { file: 'test/unit/outbound/resolve-host.test.ts' },
    ],
  },
  {
    promise: 'A stop loses nothing and leaves no caller without an answer.',
    attack: 'SIGTERM with waiting callers, and pushes and deliveries in progress.',
    proofs: [
      { file: 'test/faults/shutdown.test.ts' },
      { file: 'test/activities/consumer-shutdown.test.ts' },
      {
        file: 'test/workflows/webhook-shard-freeze.test.ts',
        titles: ['a stopping worker hands over without a loss and without a repeat'],
      },
    ],
  },
  ...WEBHOOK_GUARANTEES,
];
