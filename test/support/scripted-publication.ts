import type { MenuActivities } from '../../activities/menu-activities';
import type { AttemptKey } from '../../src/uploads/sql/upload-attempts';
import type { FinalUploadState } from '../../src/uploads/upload';
import type { UploadEnded } from '../../src/uploads/upload-report';
import type { UploadId } from '../../src/platform/ids';

type Claim = Awaited<ReturnType<MenuActivities['claimNewest']>>;
type Step = Exclude<keyof MenuActivities, 'claimNewest' | 'postpone'>;
type StepAnswer = { [K in Step]: Awaited<ReturnType<MenuActivities[K]>> };

/** The answers of one publication's activities, in order; by default the common case. */
export interface PublicationScript {
  claims: (Claim | (() => Promise<Claim>))[];
  steps?: { [K in Step]?: (StepAnswer[K] | (() => Promise<StepAnswer[K]>))[] };
}

/** Publications by store id, and their calls in order. */
export interface ScriptedPublications {
  readonly activities: MenuActivities;
  calls(storeId: number): readonly string[];
  play(storeId: number, script: PublicationScript): void;
}

/** A step that ended its upload; `rests`: and left nothing to do. */
export function ended(rests: boolean, state: FinalUploadState = 'uploaded'): UploadEnded {
  return { next: 'ended', state, summary: 'live: status 200, 41 ms', rests };
}

const READY = { next: 'ready' } as const;
const COMMON: Pick<StepAnswer, 'fetchToken' | 'transformMenu' | 'checkImages'> = {
  fetchToken: READY,
  transformMenu: READY,
  checkImages: READY,
};

/** A claim of the first attempt; its upload's id identifies the store's script. */
export function claimOf(
  storeId: number,
  kind: 'publish' | 'confirm' = 'publish',
): Extract<Claim, { kind: 'publish' | 'confirm' }> {
  const uploadId = `upl_${storeId}` as UploadId;
  return { kind, uploadId, attemptNo: 1, requestId: 'request', isPrepared: false };
}

/** Activities with scripted answers, to test the workflow with every answer. */
export function scriptPublications(): ScriptedPublications {
  const scripts = new Map<number, PublicationScript>();
  const calls = new Map<number, string[]>();

  function note(storeId: number, call: string): void {
    calls.set(storeId, [...(calls.get(storeId) ?? []), call]);
  }
  function step<K extends Step>(name: K) {
    return async ({ uploadId, ...rest }: AttemptKey & { tokenFetched?: boolean }) => {
      const storeId = Number(uploadId.slice('upl_'.length));
      note(storeId, rest.tokenFetched ? `${name} with the token` : name);
      const answers: (StepAnswer[K] | (() => Promise<StepAnswer[K]>))[] | undefined =
        scripts.get(storeId)?.steps?.[name];
      const end = ended(scripts.get(storeId)?.claims.length === 0);
      const common: StepAnswer = { ...COMMON, pushMenu: end, pushPromptly: end, confirmTask: end };
      const answer = answers?.shift() ?? common[name];
      return typeof answer === 'function' ? answer() : answer;
    };
  }
  return {
    calls: (storeId) => calls.get(storeId) ?? [],
    play: (storeId, script) => void scripts.set(storeId, script),
    activities: {
      async claimNewest({ storeId }) {
        note(storeId, 'claimNewest');
        const next = scripts.get(storeId)?.claims.shift() ?? { kind: 'idle' };
        const claim = typeof next === 'function' ? await next() : next;
        if (claim.kind === 'idle' || claim.kind === 'wait') note(storeId, 'rest');
        return claim;
      },
      async postpone({ uploadId, isDue }) {
        note(Number(uploadId.slice('upl_'.length)), isDue ? 'postpone, due' : 'postpone');
        return { next: 'later', summary: 'the next try is in 10 s' };
      },
      fetchToken: step('fetchToken'),
      transformMenu: step('transformMenu'),
      checkImages: step('checkImages'),
      pushMenu: step('pushMenu'),
      pushPromptly: step('pushPromptly'),
      confirmTask: step('confirmTask'),
    },
  };
}
