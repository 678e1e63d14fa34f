import type { ShownDay } from '../../dev/sandbox/special-days';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import type {
  AppCredential,
  DeliveryAppClient,
  PollOutcome,
  PollRequest,
  PushOutcome,
  PushRequest,
  TokenUse,
} from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OutboundClient } from '../../src/platform/outbound/types';
import type { ConformanceSubject } from './conformance-subject';

const CLIENT_ID = 'conformance-client';
export const CLIENT_SECRET = 'cs_3q9XKp+/w4&z=';

/** No honest answer on loopback takes as long, however busy the machine is. */
const PATIENCE_MS = 10_000;
/** For tests that wait for a time-out. */
const HASTE_MS = 300;

interface SandboxRequest {
  readonly route: string;
  readonly store_id: string | null;
  readonly status: number | null;
}

interface ShownMenu {
  readonly store_id: string;
  readonly sha256: string;
  readonly payload: unknown;
}

interface ShownStore {
  readonly off: readonly { readonly id: string }[];
  readonly paused: boolean;
  readonly special_days: readonly ShownDay[];
}

/** An adapter's real client over the real outbound client, against the real simulator on loopback. */
export interface Workbench {
  readonly client: DeliveryAppClient;
  /** The same with a short total time. */
  readonly hastyClient: DeliveryAppClient;
  readonly credential: AppCredential;
  /** A fresh token; throws if there is none. */
  token(use?: TokenUse): Promise<string>;
  /** Pushes with a fresh token, and follows the task of an asynchronous app to its end. */
  push(payload: Buffer): Promise<PushOutcome>;
  request(payload: Buffer, token: string): PushRequest;
  /** A question about a task of this test. */
  question(taskId: string): Promise<PollRequest>;
  queueFault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  menus(): Promise<readonly ShownMenu[]>;
  /** What guests of the subject's store see. */
  shownStore(): Promise<ShownStore>;
  requests(): Promise<readonly SandboxRequest[]>;
  /** Empties faults, menus and requests. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export function createLoopbackClient(): OutboundClient {
  return createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'conformance-suite',
  });
}

export function createConformanceClient(
  subject: ConformanceSubject,
  http: OutboundClient,
  baseUrl: string,
  timeoutMs = PATIENCE_MS,
): DeliveryAppClient {
  return subject.app.createClient({ http, baseUrl, timeoutMs });
}

export async function openWorkbench(
  subject: ConformanceSubject,
  clock?: () => number,
): Promise<Workbench> {
  const simulator = subject.simulate({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  const sandbox = await startSandbox({
    port: 0,
    parts: [simulateApp(simulator)],
    ...(clock && { clock }),
  });
  const http = createLoopbackClient();
  const baseUrl = `${sandbox.url}/${subject.app.name}`;
  const client = createConformanceClient(subject, http, baseUrl);
  const credential = credentialOf(subject);
  const { appStoreId } = subject.store;
  const now = clock ?? Date.now;
  /** No menu that is still waited for was pushed before. */
  let pushedAt = new Date(now());

  async function page(method: string, name: string, body?: string): Promise<Response> {
    const url = `${baseUrl}/_sandbox/${name}`;
    const answer = await fetch(url, { method, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${name}: ${await answer.text()}`);
    return answer;
  }

  async function token(use?: TokenUse): Promise<string> {
    const result = await client.fetchToken({ ...credential, ...(use && { use }) });
    if (result.kind !== 'token') throw new Error(`no token: ${result.reason}`);
    return result.token;
  }

  const question = async (taskId: string): Promise<PollRequest> => {
    const { store } = credential;
    const asking = await token(subject.app.ownTokens?.tasks);
    return { token: asking, appStoreId, taskId, store, pushedAt };
  };

  return {
    client,
    hastyClient: createConformanceClient(subject, http, baseUrl, HASTE_MS),
    credential,
    token,
    request: (payload, bearer) => ({ token: bearer, appStoreId, payload }),
    question,
    async push(payload) {
      const bearer = await token();
      const outcome = await client.pushMenu({ token: bearer, appStoreId, payload });
      if (outcome.kind !== 'accepted') return outcome;
      const end = await follow(client, await question(outcome.taskId));
      pushedAt = new Date(now() + 1);
      return end;
    },
    queueFault: async (fault) => {
      await page('POST', 'faults', JSON.stringify(fault));
    },
    menus: async () => (await page('GET', 'menus')).json() as Promise<readonly ShownMenu[]>,
    shownStore: async () =>
      (await page('GET', `stores/${encodeURIComponent(appStoreId)}`)).json() as Promise<ShownStore>,
    requests: async () =>
      (await page('GET', 'requests')).json() as Promise<readonly SandboxRequest[]>,
    async reset() {
      for (const name of ['faults', 'menus', 'requests']) await page('DELETE', name);
      pushedAt = new Date(now());
    },
    async close() {
      await http.close();
      await sandbox.close();
    },
  };
}

export function credentialOf(subject: ConformanceSubject): AppCredential {
  return {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    store: subject.storeCredential ?? {},
  };
}

/** Polls without waiting: the simulated tasks make a step with each poll. */
async function follow(client: DeliveryAppClient, question: PollRequest): Promise<PushOutcome> {
  for (let polls = 0; polls < 20; polls += 1) {
    const outcome: PollOutcome | undefined = await client.pollTask?.(question);
    if (outcome && outcome.kind !== 'running') return outcome;
  }
  throw new Error('The task does not end.');
}
