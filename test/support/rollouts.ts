import type {
  RolloutState,
  RevertCounts,
  TargetCounts,
  TargetState,
} from '../../src/rollouts/rollout';
import type { TestCaller } from './api';
import { LONGEST_WAIT_MS, untilFound } from './until';
import { versionedMenu } from './versioned-menu';

export interface ShownRollout {
  readonly rollout_id: string;
  readonly state: RolloutState;
  readonly counts: TargetCounts;
  readonly revert: RevertCounts | null;
}

export interface ShownTarget {
  readonly store_id: number;
  readonly state: TargetState;
  readonly upload_id: string;
  readonly messages: readonly string[];
  readonly live: boolean;
}

interface Place {
  readonly store_id: number;
  readonly integration_id: number;
}

/** Starts a rollout of this version of the menu; its id. */
export async function startRollout(
  caller: TestCaller,
  version: number | string,
  targets: readonly Place[],
  more: object = {},
): Promise<string> {
  const body = { targets, ...more, ...versionedMenu(version) };
  const { status, json, text } = await caller.post('/menus/rollouts', body);
  if (status !== 202) throw new Error(`${status} ${text}`);
  return json.data.rollout_id;
}

export async function seeRollout(caller: TestCaller, rolloutId: string): Promise<ShownRollout> {
  return (await caller.get(`/menus/rollouts/${rolloutId}`)).json.data;
}

/** The rollout as soon as it is in this state. */
export async function untilRollout(
  caller: TestCaller,
  rolloutId: string,
  isSo: (rollout: ShownRollout) => boolean,
): Promise<ShownRollout> {
  return untilFound(
    async () => {
      const rollout = await seeRollout(caller, rolloutId);
      return isSo(rollout) ? rollout : undefined;
    },
    LONGEST_WAIT_MS,
    `rollout ${rolloutId}, ${String(isSo)}`,
  );
}

export function hasEnded({ state }: ShownRollout): boolean {
  return state !== 'running' && state !== 'reverting';
}

/** All its targets, in the order in which they were sent. */
export async function listTargets(caller: TestCaller, rolloutId: string): Promise<ShownTarget[]> {
  const all: ShownTarget[] = [];
  for (let cursor = ''; ;) {
    const path = `/menus/rollouts/${rolloutId}/targets?limit=100${cursor}`;
    const { json } = await caller.get(path);
    all.push(...json.data);
    if (json.next_cursor === null) return all;
    cursor = `&cursor=${json.next_cursor}`;
  }
}
