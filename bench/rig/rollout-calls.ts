import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded, type ShownRollout, type ShownTarget } from '../../test/support/rollouts';
import { versionedMenu } from '../../test/support/versioned-menu';
import { withinMs } from '../../src/platform/within-ms';
import type { Place } from './rollout-world';

/** A careful caller while APIs die: a request without a final answer is repeated to the next API. */
export interface RolloutCalls {
  /** Starts a rollout of this version; its id. */
  start(version: string, places: readonly Place[]): Promise<string>;
  see(rolloutId: string): Promise<ShownRollout>;
  /** The rollout once it has ended. */
  ended(rolloutId: string): Promise<ShownRollout>;
  revert(rolloutId: string): Promise<void>;
  /** All its targets, in the order in which they were sent. */
  targets(rolloutId: string): Promise<readonly ShownTarget[]>;
  /** Subscribes to the end of every upload and rollout. */
  subscribe(url: string): Promise<void>;
}

/** Few enough simultaneous targets that all kills hit some of them. */
const MOST_PARALLEL = 50;
const SHARE_AT_ONCE = 1 / 20;
const ANSWER_WITHIN_MS = 8_000;
const PAUSE_MS = 300;

export function createRolloutCalls(apiUrls: readonly string[], token: string): RolloutCalls {
  let nth = 0;

  async function call(path: string, body?: unknown) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(body === undefined ? {} : { 'idempotency-key': randomUUID() }),
    };
    for (;;) {
      nth += 1;
      const url = `${apiUrls[nth % apiUrls.length]}/api/v1${path}`;
      try {
        const { response, text } = await withinMs(ANSWER_WITHIN_MS, async (signal) => {
          const answer = await fetch(url, {
            method: body === undefined ? 'GET' : 'POST',
            headers,
            signal,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          return { response: answer, text: await answer.text() };
        });
        if (response.ok) return JSON.parse(text);
        if (response.status < 500 && response.status !== 409) {
          throw new RefusedError(`${path}: ${response.status} ${text}`);
        }
      } catch (error) {
        if (error instanceof RefusedError) throw error;
      }
      await delay(PAUSE_MS);
    }
  }

  const calls: RolloutCalls = {
    async start(version, places) {
      const targets = places.map(({ storeId, integrationId }) => ({
        store_id: storeId,
        integration_id: integrationId,
      }));
      const parallel = Math.min(MOST_PARALLEL, Math.ceil(places.length * SHARE_AT_ONCE));
      const body = { targets, parallel, ...versionedMenu(version) };
      return (await call('/menus/rollouts', body)).data.rollout_id;
    },
    see: async (rolloutId) => (await call(`/menus/rollouts/${rolloutId}`)).data,
    async ended(rolloutId) {
      for (;;) {
        const rollout = await calls.see(rolloutId);
        if (hasEnded(rollout)) return rollout;
        await delay(PAUSE_MS);
      }
    },
    async revert(rolloutId) {
      await call(`/menus/rollouts/${rolloutId}/revert`, {});
    },
    async targets(rolloutId) {
      const all: ShownTarget[] = [];
      for (let cursor = ''; ;) {
        const page = await call(`/menus/rollouts/${rolloutId}/targets?limit=100${cursor}`);
        all.push(...page.data);
        if (page.next_cursor === null) return all;
        cursor = `&cursor=${page.next_cursor}`;
      }
    },
    async subscribe(url) {
      await call('/events/webhook/manage', { url, events: ['upload.ended', 'rollout.ended'] });
    },
  };
  return calls;
}

class RefusedError extends Error {}
