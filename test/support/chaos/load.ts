import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withinMs } from '../../../src/platform/within-ms';
import { versionedMenu } from '../versioned-menu';
import type { Ledger } from './ledger';
import { type SeededRandom, seededRandom } from './seeded-random';
import type { ChaosShop, ChaosStock, World } from './world';

export interface Load {
  /** Begins nothing more; resolves when everything begun has its answer. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly world: World;
  readonly apiUrls: readonly string[];
  readonly ledger: Ledger;
  readonly seed: number;
}

/** An answer after which there is nothing left to ask. */
interface Settled {
  readonly status: number;
  readonly body: unknown;
  readonly uploadId: string | null;
}

const EVENT_SENDERS = 8;
/** A frozen process answers nothing: another one is asked then, with the same idempotency key. */
const ANSWER_WITHIN_MS = 8_000;
const RETRY_AFTER_MS = 300;

/**
 * For each shop one menu after the other, for the stocks events from several senders at once. As a careful client does:
 * whatever is not answered for good is sent again under its idempotency key, to another process perhaps.
 */
export function startLoad({ world, apiUrls, ledger, seed }: LoadOptions): Load {
  const stopping = new AbortController();
  const senders = [
    ...world.shops.map((shop, index) => uploadOn(shop, seededRandom(seed * 1_000 + index))),
    ...Array.from({ length: EVENT_SENDERS }, (_, index) =>
      sendEvents(index, seededRandom(seed * 1_000 + 500 + index)),
    ),
  ];

  async function uploadOn(shop: ChaosShop, random: SeededRandom): Promise<void> {
    const { storeId, integrationId } = shop;
    for (let version = 1; !stopping.signal.aborted; version += 1) {
      const menu = versionedMenu(`v${version}`);
      const body = { store_id: storeId, integration_id: String(integrationId), ...menu };
      const prefer = random.next() < 0.5 ? { prefer: 'respond-async' } : {};
      const { status, uploadId } = await post('/api/v1/menus/upload', body, prefer, random);
      if (uploadId === null) ledger.surprise(`an upload was answered ${status}`);
      else ledger.acceptUpload(shop, `v${version}`, uploadId);
      await delay(random.between(200, 1_500));
    }
  }

  async function sendEvents(sender: number, random: SeededRandom): Promise<void> {
    for (let n = 1; !stopping.signal.aborted; n += 1) {
      const event = sender * 1_000_000 + n;
      const stock = random.pick(world.stocks);
      const type = random.next() < 0.7 ? 2 : 1;
      await sendEvent(stock, type, event, random);
      await delay(random.between(20, 200));
    }
  }

  async function sendEvent(
    stock: ChaosStock,
    type: 1 | 2,
    event: number,
    random: SeededRandom,
  ): Promise<void> {
    const path = `/api/v1/pos/store/${stock.storeId}/inventory/${type === 1 ? 'items' : 'stock'}`;
    const { status, body } = await post(path, eventBody(type, event), {}, random);
    const deliveries = deliveriesIn(body);
    const [delivery] = deliveries;
    if (delivery === undefined || deliveries.length > 1) {
      ledger.surprise(`an event of type ${type} was answered ${status} ${JSON.stringify(body)}`);
      return;
    }
    ledger.acceptEvent({
      event,
      path: stock.paths[type],
      deliveryId: delivery.delivery_id,
      acknowledgedAt: delivery.state === 'acknowledged' ? Date.now() : null,
    });
  }

  async function post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    random: SeededRandom,
  ): Promise<Settled> {
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...headers,
      },
      body: JSON.stringify(body),
    };
    for (;;) {
      const answer = await attempt(`${random.pick(apiUrls)}${path}`, request);
      if (answer) return answer;
      ledger.countRepeat();
      await delay(RETRY_AFTER_MS);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(senders);
    },
  };
}

/** Undefined: repeat it. There was no answer, one without a promise, or the same request is still running. */
async function attempt(url: string, request: RequestInit): Promise<Settled | undefined> {
  try {
    return await withinMs(ANSWER_WITHIN_MS, async (signal) => {
      const response = await fetch(url, { ...request, signal });
      const body: unknown = await response.json();
      const { status } = response;
      const uploadId = response.headers.get('x-upload-id');
      const isUnderWay = status === 409 && response.headers.has('retry-after');
      return status >= 500 || isUnderWay ? undefined : { status, body, uploadId };
    });
  } catch {
    return undefined;
  }
}

function eventBody(type: 1 | 2, event: number): unknown {
  const id = `event-${event}`;
  if (type === 1) return { units: [], items: [{ id }], suppliers: [] };
  return {
    external_id: id,
    current_stock: '10.50',
    quantity: '1',
    date: '2026-11-21T10:00:00Z',
    movement_type: 2,
  };
}

interface AnsweredDelivery {
  readonly delivery_id: string;
  readonly state: string;
}

function deliveriesIn(body: unknown): readonly AnsweredDelivery[] {
  const { data } = body as { data?: { deliveries?: AnsweredDelivery[] } | null };
  return data?.deliveries ?? [];
}
