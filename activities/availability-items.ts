import {
  type DueItem,
  type ItemResult,
  type QueueClaim,
  recordItems,
  takeItems,
} from '../src/availability/sql/calls';
import { recordMayBeOff } from '../src/availability/sql/marks';
import type { SwitchedItem, SwitchOutcome } from '../src/delivery-apps/app-client';
import { describeItems } from '../src/availability/availability';
import { quoteValue } from '../src/platform/text/quote-value';
import { type Called, callApp, type HeldApp } from './availability-call';
import { createFirstSeen } from './first-seen';
import {
  type AvailabilityDeps,
  describeLastAnswer,
  type QueueContext,
  openQueue,
} from './availability-context';
import { postpone } from './availability-retries';
import { recordAndSay } from './unorderable-items';
import { withHeartbeat } from './with-heartbeat';

/**
 * Many calls share an activity, which keeps the history short. The bound keeps the activity within its time; the next
 * one does the rest.
 */
const MOST_CALLS = 100;

export function createAvailabilityItemActivities(deps: AvailabilityDeps) {
  return {
    /** Sends the waiting items to the app, in as many calls as needed; returns a description of the result. */
    async switchItems(ref: QueueClaim): Promise<string> {
      const queue = await openQueue(deps, ref);
      return queue ? withHeartbeat(() => switchAll(queue)) : 'the integration cannot be called';
    },
  };

  async function switchAll(queue: QueueContext): Promise<string> {
    const { idsPerCall, mixesBoth } = queue.app.availability;
    const summaries: string[] = [];
    const take = takeNoting(queue.ref);
    // Smaller while the app does not say which of many items it does not know.
    let limit = idsPerCall;
    for (let call = 0; call < MOST_CALLS; call += 1) {
      const batch = await switchBatch(queue, take, { limit, sameDirection: !mixesBoth });
      summaries.push(batch.summary);
      if (batch.nextLimit === null) break;
      limit = batch.nextLimit;
    }
    return summaries.length > 10
      ? `${summaries.length} calls, the last: ${summaries.at(-1)}`
      : summaries.join(' ');
  }

  /** Takes items. `wasTried` is what it was when this activity first saw the item. */
  function takeNoting(ref: QueueClaim): Take {
    const triedBefore = createFirstSeen<boolean>();
    return async (batch) => {
      const items = await takeItems(deps.sql, ref, batch);
      return items.map((item) => {
        const { changeId, externalId, wasTried } = item;
        return { ...item, wasTried: triedBefore(`${changeId} ${externalId}`, wasTried) };
      });
    };
  }

  async function switchBatch(queue: QueueContext, take: Take, batch: Batch): Promise<BatchEnd> {
    const { ref, app, client, credential, target } = queue;
    // `items`: named in the call. `unnamed`: in no live menu, so the app has nothing to do.
    let items: readonly DueItem[] = [];
    let unnamed: readonly DueItem[] = [];
    const startedAt = Date.now();
    const called = await callApp<SwitchOutcome>(
      deps,
      queue,
      app.availability,
      credential,
      async ({ token, nextRequest }) => {
        await deps.atCheckpoint('worker:before-push');
        // Taken only under the lease, because a newer change may arrive during the wait.
        const taken = await take(batch);
        unnamed = taken.filter((item) => item.wireIds.length === 0);
        items = fitIntoCall(
          taken.filter((item) => item.wireIds.length > 0),
          batch.limit,
        );
        if (taken.length === 0) return undefined;
        const outcome = await switchInParts(queue, items.flatMap(toSwitched), nextRequest, (part) =>
          client.switchItems({
            token,
            appStoreId: target.appStoreId,
            store: credential.store,
            items: part,
          }),
        );
        // A later try may be refused, and would hide that this one took effect.
        if (outcome?.kind === 'unknown') await recordMayBeOff(deps.sql, ref, items);
        return outcome;
      },
    );
    deps.log.info({
      ...ref,
      step: 'switchItems',
      items: items.length,
      result: called.kind,
      app_status: 'answer' in called ? called.answer?.status : undefined,
      duration_ms: Date.now() - startedAt,
    });
    const words = describeAll(items);
    switch (called.kind) {
      case 'stale':
        return { summary: 'Nothing is to be switched any more.', nextLimit: null };
      case 'later':
        await postpone(deps, ref, called);
        return {
          summary: `${words}: ${describeLastAnswer(queue)}, tried again later.`,
          nextLimit: null,
        };
      case 'refused':
        return refused(queue, take, batch, items, called);
      case 'answered':
        return settle(queue, batch, [...unnamed, ...items], called.outcome);
    }
  }

  async function refused(
    queue: QueueContext,
    take: Take,
    { limit }: Batch,
    items: readonly DueItem[],
    { reasons, isToken }: Extract<Called<never>, { kind: 'refused' }>,
  ): Promise<BatchEnd> {
    const { ref } = queue;
    const reason = reasons.join(' ');
    const refusedItems = isToken ? await take(EVERYTHING) : items;
    const results = refusedItems.map((item) =>
      isToken
        ? { ...refusedItem(item, reason), message: reason, mayBeOff: item.wasTried }
        : refusedItem(item, reason),
    );
    const left = await recordItems(deps.sql, ref, results);
    const nextLimit = left > 0 && !isToken ? limit : null;
    const why = isToken ? 'no token that the app accepts' : 'refused';
    return {
      summary: `${describeAll(refusedItems)}: ${why}, ${describeLastAnswer(queue)}.`,
      nextLimit,
    };
  }

  async function settle(
    queue: QueueContext,
    { limit }: Batch,
    items: readonly DueItem[],
    outcome: Extract<SwitchOutcome, { kind: 'switched' | 'partly_switched' | 'one_unknown' }>,
  ): Promise<BatchEnd> {
    const words = describeAll(items);
    switch (outcome.kind) {
      case 'switched': {
        const left = await recordAndSay(deps, queue, items.map(done));
        return { summary: `${words}.`, nextLimit: left > 0 ? limit : null };
      }
      case 'partly_switched': {
        const failed = new Map(outcome.failed.map((each) => [each.externalId, each.message]));
        const results = items.map((item) => {
          const message = item.wireIds
            .map((id) => failed.get(id))
            .find((each) => each !== undefined);
          return message === undefined ? done(item) : refusedItem(item, message);
        });
        const left = await recordAndSay(deps, queue, results);
        return { summary: `${words}, ${failed.size} refused.`, nextLimit: left > 0 ? limit : null };
      }
      case 'one_unknown': {
        const named = items.filter((item) => item.wireIds.length > 0);
        if (named.length > 1) {
          const nextLimit = Math.ceil(named.length / 2);
          return { summary: `${words}: one is not known to the app, asked in halves.`, nextLimit };
        }
        const results = named.map((item) => refusedItem(item, outcome.reason));
        const left = await recordItems(deps.sql, queue.ref, results);
        return { summary: `${words}: not known to the app.`, nextLimit: left > 0 ? 1 : null };
      }
    }
  }
}

type Take = (batch: Batch) => Promise<readonly DueItem[]>;

interface Batch {
  readonly limit: number;
  readonly sameDirection: boolean;
}

/** The result of one call. */
interface BatchEnd {
  /** For people. */
  readonly summary: string;
  /** How many items the next call may have; null: no call to make now. */
  readonly nextLimit: number | null;
}

const EVERYTHING: Batch = { limit: 100_000, sameDirection: false };

/**
 * An item with more copies than a request can take is sent in several, one after the other and as often as the app
 * allows. Undefined: another claim has taken over.
 */
async function switchInParts(
  queue: QueueContext,
  items: readonly SwitchedItem[],
  nextRequest: HeldApp['nextRequest'],
  call: (part: readonly SwitchedItem[]) => Promise<SwitchOutcome>,
): Promise<SwitchOutcome | undefined> {
  let outcome: SwitchOutcome = { kind: 'switched' };
  const size = queue.app.availability.idsPerCall;
  for (let start = 0; start < items.length; start += size) {
    if (start > 0 && !(await nextRequest())) return undefined;
    outcome = await call(items.slice(start, start + size));
    if (outcome.kind !== 'switched') return outcome;
  }
  return outcome;
}

/** As many items as fit into a call with all their copies, at least one. */
function fitIntoCall(items: readonly DueItem[], limit: number): readonly DueItem[] {
  const fit: DueItem[] = [];
  let ids = 0;
  for (const item of items) {
    ids += item.wireIds.length;
    if (fit.length > 0 && ids > limit) break;
    fit.push(item);
  }
  return fit;
}

function toSwitched({ wireIds, available, until }: DueItem): SwitchedItem[] {
  return wireIds.map((wireId) => ({ wireId, available, until: until && new Date(until) }));
}

function done({ changeId, externalId }: DueItem): ItemResult {
  return { changeId, externalId, state: 'done', message: null, mayBeOff: true };
}

/** Of several copies, some may have been switched before the refusal; or an earlier call may have had an effect. */
function refusedItem(item: DueItem, reason: string): ItemResult {
  const { changeId, externalId, wireIds, wasTried } = item;
  const message = `The item ${quoteValue(externalId)} was refused: ${reason}`;
  return {
    changeId,
    externalId,
    state: 'failed',
    message,
    mayBeOff: wireIds.length > 1 || wasTried,
  };
}

function describeAll(items: readonly DueItem[]): string {
  const on = items.filter((item) => item.available).length;
  return describeItems(items.length - on, on) || 'nothing';
}
