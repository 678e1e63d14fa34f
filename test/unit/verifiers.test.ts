import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { judgeStock } from '../../src/webhooks/attempt/judge-answer';
import { stockPayload } from '../../src/webhooks/payload';
import type { OutboundResult } from '../../src/platform/outbound/types';
import { toReceiverAnswer } from '../../src/webhooks/attempt/read-answer';
import { generateSecret } from '../../src/platform/crypto/signing';
import {
  buildWebhookRequest,
  type WebhookRequest,
} from '../../src/webhooks/attempt/webhook-request';
import vectors from '../vectors/webhook-signatures.json';

const DOCS = join(__dirname, '../../docs');
/** The vectors are of years past and to come. */
const ANY_AGE = '100000000000';

type Command = readonly [program: string, ...args: string[]];

interface Language {
  readonly name: string;
  readonly file: string;
  /** Prints the version of the tool that runs the file; when it fails, the tests are shown as skipped. */
  readonly probe: Command;
  /**
   * Few machines have the tool: without it one test reports that the others were not run, and none counts as skipped.
   */
  readonly optional?: boolean;
  /** The command that starts the receiver; may build it into `folder`. */
  command(file: string, folder: string): Command;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    file: 'verifiers/python/verify_webhook.py',
    probe: ['python3', '--version'],
    command: (file) => ['python3', '-B', file],
  },
  {
    name: 'Go',
    file: 'verifiers/go/verify_webhook.go',
    probe: ['go', 'version'],
    command(file, folder) {
      const program = join(folder, 'receiver');
      // The file needs nothing but the standard library: a download would be a defect.
      const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '' };
      const built = spawnSync('go', ['build', '-o', program, file], { env, encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      return [program];
    },
  },
  {
    name: 'Node',
    file: 'verifiers/node/verify-webhook.mjs',
    probe: [process.execPath, '--version'],
    command: (file) => [process.execPath, file],
  },
  {
    name: 'Java',
    file: 'verifiers/java/VerifyWebhook.java',
    probe: ['javac', '--version'],
    optional: true,
    command(file, folder) {
      const built = spawnSync('javac', ['-d', folder, file], { encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      return ['java', '-cp', folder, 'VerifyWebhook'];
    },
  },
  {
    name: 'Ruby',
    file: 'verifiers/ruby/verify_webhook.rb',
    probe: ['ruby', '--version'],
    optional: true,
    command: (file) => ['ruby', '-w', file],
  },
  {
    name: 'PHP',
    file: 'verifiers/php/verify_webhook.php',
    probe: ['php', '--version'],
    optional: true,
    command: (file) => ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file],
  },
];

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
  return judgeStock(toReceiverAnswer(result, true), Date.now());
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

function isAvailable({ probe: [tool, ...args] }: Language): boolean {
  return spawnSync(tool, args).status === 0;
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
