import type { MenuActivities } from '../../activities/menu-activities';
import type { Claim } from '../../src/db/publications';
import type { UploadId } from '../../src/ids';

type Step = Exclude<keyof MenuActivities, 'claimNewest' | 'recordOutcome'>;
type StepAnswer = { [K in Step]: Awaited<ReturnType<MenuActivities[K]>> };

/** What the activities of one publication answer, in order; what is not given is the common case. */
export interface PublicationScript {
  claims: Claim[];
  /** What the looks when going to rest find, after each claim of nothing; a function is called first. */
  rests?: (boolean | (() => Promise<boolean>))[];
  steps?: { [K in Step]?: (StepAnswer[K] | (() => Promise<StepAnswer[K]>))[] };
}

/** Publications by store id, and what was called for each, in order. */
export interface ScriptedPublications {
  readonly activities: MenuActivities;
  calls(storeId: number): readonly string[];
  play(storeId: number, script: PublicationScript): void;
}

const COMMON: StepAnswer = {
  fetchToken: 'ready',
  transformMenu: 'ready',
  checkImages: 'ready',
  pushMenu: 'decided',
  confirmTask: 'decided',
};

/** A claim of the first attempt; its upload's id tells which store's script is meant. */
export function claimOf(
  storeId: number,
  kind: 'publish' | 'confirm' = 'publish',
): Extract<Claim, { kind: 'publish' | 'confirm' }> {
  const uploadId = `upl_${storeId}` as UploadId;
  return { kind, uploadId, attemptNo: 1, requestId: 'request', ageMs: 0, isPrepared: false };
}

/** Activities that answer by script, to try what the workflow makes of every answer. */
export function scriptPublications(): ScriptedPublications {
  const scripts = new Map<number, PublicationScript>();
  const calls = new Map<number, string[]>();

  function note(storeId: number, call: string): void {
    calls.set(storeId, [...(calls.get(storeId) ?? []), call]);
  }
  function step<K extends Step>(name: K) {
    return async ({ uploadId, ...rest }: { uploadId: string; tokenRefreshed?: boolean }) => {
      const storeId = Number(uploadId.slice('upl_'.length));
      note(storeId, rest.tokenRefreshed ? `${name} refreshed` : name);
      const answers: (StepAnswer[K] | (() => Promise<StepAnswer[K]>))[] | undefined =
        scripts.get(storeId)?.steps?.[name];
      const answer = answers?.shift() ?? COMMON[name];
      return typeof answer === 'function' ? answer() : answer;
    };
  }
  return {
    calls: (storeId) => calls.get(storeId) ?? [],
    play: (storeId, script) => void scripts.set(storeId, script),
    activities: {
      async claimNewest({ storeId }) {
        note(storeId, 'claimNewest');
        const claim = scripts.get(storeId)?.claims.shift() ?? { kind: 'idle' };
        if (claim.kind !== 'idle' && claim.kind !== 'wait') return claim;
        note(storeId, 'rest');
        const rest = scripts.get(storeId)?.rests?.shift() ?? false;
        const hasRows = typeof rest === 'function' ? await rest() : rest;
        return hasRows ? { kind: 'again' } : claim;
      },
      async recordOutcome({ uploadId, decided }) {
        note(Number(uploadId.slice('upl_'.length)), decided ? 'outcome' : 'postpone');
        return decided ? 'uploaded' : 'waiting';
      },
      fetchToken: step('fetchToken'),
      transformMenu: step('transformMenu'),
      checkImages: step('checkImages'),
      pushMenu: step('pushMenu'),
      confirmTask: step('confirmTask'),
    },
  };
}
