import { createToken, createUser } from '../src/admin/users';
import { connect } from '../src/platform/db/client';
import { fillHistory } from './rig/ended-rows';
import { fillLately, fillUploads } from './rig/list-rows';
import { quantile } from './rig/quantile';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * The cost of a console page with millions of ended deliveries of the last 30 days (100,000 within the last hour) and
 * 500,000 uploads: for an operator, who sees everything, and for the user who has the stores. `npx tsx
 * bench/console.ts` with ROWS (10,000,000: 10 GB of disk), ROUNDS (40), PAGE (one path; all). Exits with 1 if a p95 is
 * 300 ms or more, or that of a refresh of an unchanged page 20 ms.
 */

const ROWS = wholeNumber('ROWS', 10_000_000, 100_000_000);
const ROUNDS = wholeNumber('ROUNDS', 40, 1_000);
const STORES = 200;
const UPLOADS = 500_000;
const LATELY = 100_000;
const P95_MS = 300;
const REFRESH_P95_MS = 20;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    const stores = await rig.addStores(STORES, '/ok');
    const patient = connect(rig.databaseUrl, { max: 1, statementTimeoutMs: 0 });
    const startedAt = performance.now();
    await fillHistory(patient, ROWS);
    await fillLately(patient, LATELY);
    const uploadId = await fillUploads(patient, rig.userId, UPLOADS);
    const [last] = await patient<{ id: string }[]>`
      select delivery_id as id from ended_delivery order by finished_at desc, delivery_id desc limit 1`;
    await patient.end();
    console.log(rig.setting.join('\n'));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    console.log(
      `${ROWS} ended deliveries, ${STORES} stores and webhooks, ${UPLOADS} uploads, put in ${seconds} s; ${ROUNDS} rounds`,
    );
    const paths = [
      '/console',
      // An item off sale nowhere, with messages in every store, and one that nobody has.
      '/console/find?q=I1',
      '/console/find?q=none',
      '/console/uploads',
      '/console/uploads?state=failed',
      `/console/uploads/${uploadId}`,
      '/console/rollouts',
      '/console/availability',
      '/console/deliveries',
      '/console/deliveries?state=acknowledged',
      '/console/deliveries?state=exhausted',
      `/console/deliveries/${last?.id}`,
      '/console/webhooks',
      '/console/apps',
      '/console/stores',
      `/console/stores/${stores[0]}`,
    ];
    const { PAGE } = process.env;
    await measure(rig, PAGE === undefined ? paths : [PAGE]);
  } finally {
    await rig.stop();
  }
}

async function measure(rig: WebhookRig, paths: readonly string[]): Promise<void> {
  const operator = await createUser({ sql: rig.sql }, { name: 'op', permissions: ['operator'] });
  const cookies = {
    operator: await signIn(rig, operator.user_id),
    owner: await signIn(rig, rig.userId),
  };
  const rows = [];
  for (const path of paths) {
    for (const [who, cookie] of Object.entries(cookies)) {
      let etag = '';
      const p95 = async (headers: () => Record<string, string>) => {
        const ms: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const startedAt = performance.now();
          etag = await visit(rig, path, { cookie, ...headers() });
          ms.push(performance.now() - startedAt);
        }
        const sorted = ms.toSorted((x, y) => x - y);
        return (p: number) => Number(quantile(sorted, p).toFixed(1));
      };
      const cell = await p95(() => ({}));
      const refresh = await p95(() => ({ 'if-none-match': etag }));
      // What Find answers has no ETag and does not refresh itself.
      const isLate = etag !== '' && refresh(0.95) >= REFRESH_P95_MS;
      if (cell(0.95) >= P95_MS || isLate) process.exitCode = 1;
      const page = path.replace(/(upl|dlv)_\w+/, '…');
      rows.push({
        page,
        who,
        p50: cell(0.5),
        p95: cell(0.95),
        max: cell(1),
        'refresh p50': refresh(0.5),
        'refresh p95': refresh(0.95),
      });
    }
  }
  console.table(rows);
}

async function signIn({ sql, api }: WebhookRig, userId: string): Promise<string> {
  const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });
  const { headers, body } = await api.request({
    method: 'POST',
    path: '/console/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  });
  await body.dump();
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** The page's `ETag`. */
async function visit(
  { api }: WebhookRig,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const answer = await api.request({ method: 'GET', path, headers });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 && answer.statusCode !== 304) {
    throw new Error(`${path} answers ${answer.statusCode} ${text.slice(0, 300)}`);
  }
  return String(answer.headers['etag'] ?? '');
}

void main();
