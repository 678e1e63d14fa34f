import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { judgeStock } from '../../src/webhooks/attempt/judge-answer';
import { stockPayload } from '../../src/webhooks/payload';
import { EVENTS } from '../../src/webhooks/platform-events';
import type { OutboundResult } from '../../src/platform/outbound/types';
import { toReceiverAnswer } from '../../src/webhooks/attempt/read-answer';
import { generateSecret } from '../../src/platform/crypto/signing';
import {
  buildWebhookRequest,
  type WebhookRequest,
} from '../../src/webhooks/attempt/webhook-request';
import { type Command, DOCS, isAvailable, LANGUAGES } from '../support/verifier-languages';
import vectors from '../vectors/webhook-signatures.json';

/** The vectors are of years past and to come. */
const ANY_AGE = '100000000000';

interface Receiver {
  readonly url: string;
  /** Its output since it listens; complete after it was stopped. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

async function start(
  [program, ...args]: Command,
  env: Readonly<Record<string, string>>,
): Promise<Receiver> {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reader = createInterface(child.stdout);
  const [greeting] = (await once(reader, 'line')) as [string];
  const lines: string[] = [];
  reader.on('line', (line) => lines.push(line));
  return {
    url: `http://127.0.0.1:${greeting.replace('listening on ', '')}/webhooks`,
    lines,
    async stop() {
      const printed = once(reader, 'close');
      child.kill();
      await printed;
    },
  };
}

async function post(url: string, { headers, body }: WebhookRequest): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body });
}

const secret = generateSecret();

function stockUpdate(
  messageId: string,
  sequence: number,
  currentStock: string,
  now = Date.now(),
): WebhookRequest {
  const payload = stockPayload({
    inventorySystemId: 'system',
    externalStoreId: 'S-1',
    externalId: 'item-7',
    currentStock,
    quantity: '1',
    date: '2026-11-21',
    movementType: 1,
  });
  return buildWebhookRequest({ type: 2, payload, secrets: [secret], messageId, sequence, now });
}

function platformEvent(messageId: string, sequence: number, data: object): WebhookRequest {
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const payload = JSON.stringify({ type: 'availability.changed', timestamp, data });
  return buildWebhookRequest({
    type: EVENTS,
    payload,
    secrets: [secret],
    messageId,
    sequence,
    now,
  });
}

/** The service's interpretation of the answer. */
async function verdictOf(response: Response): Promise<unknown> {
  const result: OutboundResult = {
    kind: 'response',
    status: response.status,
    headers: {},
    body: Buffer.from(await response.arrayBuffer()),
    truncated: false,
    durationMs: 0,
  };
  return judgeStock(toReceiverAnswer(result, true, []), Date.now());
}

/** Starts a receiver for the length of `use`, whatever becomes of it; resolves to all the lines that it printed. */
async function withReceiver(
  command: Command,
  env: Readonly<Record<string, string>>,
  use: (url: string) => Promise<void>,
): Promise<readonly string[]> {
  const receiver = await start(command, env);
  try {
    await use(receiver.url);
  } finally {
    await receiver.stop();
  }
  return receiver.lines;
}

for (const language of LANGUAGES) {
  if (language.optional && !isAvailable(language)) {
    test(`NOT RUN: the receiver in ${language.name}, as ${language.probe[0]} is missing`, () => {
      expect(isAvailable(language)).toBe(false);
    });
    continue;
  }
  // Without the tool the tests are skipped by name and counted by the runner, not passed in silence.
  const [describeWithTool, why] = isAvailable(language)
    ? [describe, '']
    : [describe.skip, ` (skipped: there is no ${language.probe[0]})`];

  describeWithTool(`the receiver in ${language.name}${why}`, () => {
    let folder: string;
    let command: Command;

    // The first build of a machine compiles Go's standard library.
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'verifier-'));
      command = language.command(join(DOCS, language.file), folder);
    }, 180_000);
    afterAll(() => rmSync(folder, { recursive: true }));

    test('accepts the valid signatures and no others', async () => {
      const cases = [
        ...vectors.valid.map((vector) => ({ ...vector, status: 204 })),
        ...vectors.refused.map((vector) => ({ ...vector, status: 401 })),
      ];
      for (const secrets of new Set(cases.map((each) => each.secrets.join(' ')))) {
        const mine = cases.filter((each) => each.secrets.join(' ') === secrets);
        const env = { WEBHOOK_SECRETS: secrets, WEBHOOK_TOLERANCE: ANY_AGE };
        await withReceiver(command, env, async (url) => {
          const answers: string[] = [];
          for (const { name, headers, body } of mine) {
            const sequenced = { ...headers, 'webhook-sequence': '1' };
            const { status } = await post(url, { headers: sequenced, body });
            answers.push(`${status} ${name}`);
          }
          expect(answers).toEqual(mine.map(({ status, name }) => `${status} ${name}`));
        });
      }
    });

    test('applies each message once and only newer ones, and refuses with a message', async () => {
      const lines = await withReceiver(command, { WEBHOOK_SECRETS: secret }, async (url) => {
        const first = stockUpdate('msg_1', 1, '10.50');
        const third = stockUpdate('msg_3', 3, '8.50');
        for (const request of [first, first, third, stockUpdate('msg_2', 2, '9.50')]) {
          const verdict = await verdictOf(await post(url, request));
          expect(verdict).toEqual({ kind: 'acknowledged', status: 204 });
        }
        const refused = await verdictOf(await post(url, stockUpdate('msg_4', 4, '-1')));
        const message = 'The stock cannot be negative.';
        expect(refused).toMatchObject({ kind: 'refused', message });
      });
      expect(lines.map((line) => line.split(' ').at(-1))).toEqual(['10.50', '8.50']);
    });

    test('takes an event, which has the standard signature only, and no event that is forged', async () => {
      const lines = await withReceiver(command, { WEBHOOK_SECRETS: secret }, async (url) => {
        // With all that a stock movement has, but not where one has it.
        const item = { external_id: 'item-7', store_id: 'S-1', available: false };
        const event = platformEvent('msg_5', 5, { items: [item] });
        expect(Object.keys(event.headers)).not.toContain('x-signature-request');
        const taken = await post(url, event);
        expect([taken.status, await taken.text()]).toEqual([204, '']);
        const forged = { ...event, body: event.body.replace('item-7', 'item-8') };
        const wrong = { ...event, headers: { ...event.headers, 'x-signature-request': 'v1=00' } };
        for (const request of [forged, wrong]) expect((await post(url, request)).status).toBe(401);
      });
      expect(lines).toEqual([]);
    });

    test('rejects old and forged messages so that a genuine one is retried', async () => {
      const lines = await withReceiver(command, { WEBHOOK_SECRETS: secret }, async (url) => {
        const good = stockUpdate('msg_1', 1, '10.50');
        const forged = { ...good, body: good.body.replace('10.50', '99.50') };
        const old = stockUpdate('msg_2', 2, '9.50', Date.now() - 301_000);
        for (const request of [forged, old, { headers: {}, body: '{}' }]) {
          const verdict = await verdictOf(await post(url, request));
          expect(verdict).toMatchObject({ kind: 'retry', status: 401 });
        }
      });
      expect(lines).toEqual([]);
    });
  });
}

test.each(LANGUAGES)('$file is in the documentation as tested', ({ file }) => {
  const page = readFileSync(join(DOCS, 'verifying-webhooks.md'), 'utf8');
  const [, block] = page.split(`](${file}):\n\n`);
  const [, shown] = /^```\w+\n([\s\S]*?)^```$/m.exec(block ?? '') ?? [];
  expect(shown).toBe(readFileSync(join(DOCS, file), 'utf8'));
});

test('the known answer in the documentation is the first vector', () => {
  const page = readFileSync(join(DOCS, 'verifying-webhooks.md'), 'utf8');
  const [known] = vectors.valid;
  expect(known).toBeDefined();
  const lines = [known?.secrets[0], known?.body, ...Object.values(known?.headers ?? {})];
  expect(lines.filter((line) => !page.includes(String(line)))).toEqual([]);
});
