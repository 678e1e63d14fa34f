import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../support/self-signed-certificate';
import { startSystem, stopSystems } from '../support/system';
import { testTemporalAddress } from '../support/temporal';
import { startTlsFront, type TlsFront } from '../support/tls-front';
import { createTemporalClient } from '../../src/platform/temporal/connection';

const YEAR_MS = 365 * 24 * 3_600_000;
const make = () =>
  selfSignedCertificate(new Date(Date.now() - 1_000), new Date(Date.now() + YEAR_MS));
const [server, client] = [make(), make()];

let directory: string;
let front: TlsFront;
let files: Record<'TEMPORAL_TLS_CA' | 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY', string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pos-integrations-tls-'));
  const put = async (name: string, text: string) => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  files = {
    TEMPORAL_TLS_CA: await put('ca.pem', server.cert),
    TEMPORAL_TLS_CERT: await put('client.pem', client.cert),
    TEMPORAL_TLS_KEY: await put('client.key', client.key),
  };
  front = await startTlsFront(testTemporalAddress(), {
    ...server,
    requestCert: true,
    ca: client.cert,
    rejectUnauthorized: true,
  });
});
afterEach(stopSystems);
afterAll(async () => {
  await front.close();
  await rm(directory, { recursive: true, force: true });
});

test('API and worker talk to Temporal over TLS with their own certificates, and menus are published', async () => {
  const system = await startSystem({
    env: {
      TEMPORAL_ADDRESS: front.address,
      TEMPORAL_TLS: 'true',
      TEMPORAL_API_KEY: 'a-key-that-the-test-server-ignores',
      ...files,
    },
  });
  const shop = await system.openShop('app-b');
  expect((await shop.upload(1)).status).toBe(200);
  expect(await shop.shown()).toBe('1');
  expect(front.trusted()).toBeGreaterThanOrEqual(2);
});

test.each([
  ['a server with an untrusted certificate', { TEMPORAL_TLS: true }],
  ['a server that speaks TLS to a client that does not', { TEMPORAL_TLS: false }],
])('%s is not reachable', async (_name, settings) => {
  const temporal = createTemporalClient({
    TEMPORAL_ADDRESS: front.address,
    TEMPORAL_NAMESPACE: 'default',
    ...settings,
  });
  await expect(
    temporal.withDeadline(Date.now() + 2_000, () => temporal.workflowService.getSystemInfo({})),
  ).rejects.toThrow(/UNAVAILABLE|DEADLINE|No connection|Protocol|closed|certificate/i);
  await temporal.connection.close();
});
