import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Callback,
  CALLBACK_ANSWER,
  CALLBACK_SIGNATURE_HEADER,
  isSignedByApp,
  parseCallback,
} from '../../src/delivery-apps/app-c/callback';
import type { PushOutcome } from '../../src/delivery-apps/app-client';
import { type Bench, openBench, SECRET } from './app-c-bench';

interface Received {
  readonly isSigned: boolean;
  readonly callback: Callback;
}

let receiver: Server;
let receiverUrl: string;
let received: Received[];
/** Answers of the receiver that are no acknowledgement, before those that are. */
let refusals: number;
let bench: Bench;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const signature = request.headers[CALLBACK_SIGNATURE_HEADER];
      const isSigned = isSignedByApp(body, String(signature), SECRET);
      received.push({ isSigned, callback: parseCallback(body) });
      refusals -= 1;
      response.writeHead(refusals >= 0 ? 500 : 200).end(JSON.stringify(CALLBACK_ANSWER));
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks/app-c/3`;
});

afterAll(async () => {
  await new Promise<void>((resolve) => {
    receiver.close(() => resolve());
    receiver.closeAllConnections();
  });
});

beforeEach(async () => {
  received = [];
  refusals = 0;
  bench = await openBench({ stepMs: 10, callbackUrl: () => receiverUrl });
});

afterEach(() => bench.close());

describe('the simulated App C', () => {
  it('ends a task by itself and reports it by a signed callback', async () => {
    const pushed = await bench.push();
    await receivedAre(1);
    expect(received).toEqual([{ isSigned: true, callback: about(pushed, { kind: 'live' }) }]);
  });

  it('reports a failed task too', async () => {
    await bench.queue({ kind: 'task_failed' });
    const pushed = await bench.push();
    await receivedAre(1);
    const outcome = { kind: 'rejected', reasons: ['failed'] };
    expect(received).toEqual([{ isSigned: true, callback: about(pushed, outcome) }]);
  });

  it('can report it twice', async () => {
    await bench.queue({ kind: 'webhook', mode: 'twice' });
    const pushed = await bench.push();
    await receivedAre(2);
    expect(received.map(({ callback }) => callback)).toEqual([
      about(pushed, { kind: 'live' }),
      about(pushed, { kind: 'live' }),
    ]);
  });

  it('can report it before it has answered the upload', async () => {
    await bench.queue({ kind: 'webhook', mode: 'early' });
    const pushed = await bench.push();
    expect(received).toEqual([{ isSigned: true, callback: about(pushed, { kind: 'live' }) }]);
  });

  it('can skip the report although the menu is live', async () => {
    await bench.queue({ kind: 'webhook', mode: 'never' });
    await bench.push();
    await wait(150);
    expect(received).toEqual([]);
    expect(await bench.shown()).toHaveLength(1);
  });

  it('can have its callback forged', async () => {
    await bench.queue({ kind: 'webhook', mode: 'forged' });
    await bench.push();
    await receivedAre(1);
    expect(received[0]?.isSigned).toBe(false);
  });

  it('repeats an unacknowledged callback', async () => {
    refusals = 1;
    await bench.push();
    await receivedAre(2);
    expect(received[1]).toEqual(received[0]);
  });
});

function about(pushed: PushOutcome, outcome: object): object {
  if (pushed.kind !== 'accepted') throw new Error(`The push ended ${pushed.kind}.`);
  return { kind: 'task', taskId: pushed.taskId, appStoreId: 'shop-1', outcome };
}

async function receivedAre(count: number): Promise<void> {
  for (let waits = 0; received.length < count && waits < 300; waits += 1) await wait(10);
  expect(received).toHaveLength(count);
}
