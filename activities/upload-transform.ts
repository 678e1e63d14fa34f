import { cancellationSignal } from '@temporalio/activity';
import type { UploadTarget } from '../src/uploads/sql/upload-target';
import { listSentBeside } from '../src/uploads/sql/sent-beside';
import { type AttemptKey, recordPrepared } from '../src/uploads/sql/upload-attempts';
import type { StepRow } from '../src/uploads/sql/upload-steps';
import { refusedImages } from '../src/delivery-apps/images/refused-images';
import { inputOfSettings } from '../src/delivery-apps/transform-settings';
import { storeFactsOf, type TransformInput } from '../src/delivery-apps/types';
import { SHOWN_PROBLEMS } from '../src/platform/validation/shown-problems';
import type { StepReport } from '../src/uploads/upload-report';
import type { UploadVerdict } from '../src/uploads/upload-verdict';
import {
  type KeptMenu,
  NeedsThreadError,
  type PreparedDocument,
  SMALL_MENU_BYTES,
} from '../src/uploads/preparation/menu-preparer';
import type { MenuActivityDeps } from './activity-deps';
import { type Attempt, loadAttempt } from './load-attempt';
import { type StepEnd, uploadStep } from './upload-step';
import { onKeptMenu } from './upload-change';
import { withHeartbeat } from './with-heartbeat';

/** `images`: they must be checked first. `no_token`: none is stored, and one must be fetched first. */
type TransformNext = 'ready' | 'images' | 'no_token';

/** Recorded in one statement with its result, because it is short. */
const AT_ITS_END = { recordsStart: false } as const;

export function createUploadTransformActivities(deps: MenuActivityDeps) {
  const { sql, menus, settings } = deps;

  /** Turns the menu into the app's payload. Undefined = it exceeded its time. */
  async function transform(
    { target, app }: Attempt,
    { badImages, atOnce = false }: Pick<TransformInput, 'badImages'> & { atOnce?: boolean } = {},
  ): Promise<PreparedDocument | undefined> {
    const input = {
      app: app.name,
      store: storeFactsOf(target),
      besides: await listSentBeside(sql, target.uploadId),
      ...(badImages ? { badImages } : {}),
      ...inputOfSettings(settings),
    };
    return menus.by(target.userId).prepare(menuOf(target), input, { atOnce });
  }

  async function transformWithToken(
    attempt: Attempt,
    tokens: readonly StepRow[],
    atOnce: boolean,
  ): Promise<StepEnd<TransformNext>> {
    const based = await onKeptMenu(deps, attempt);
    if (!('target' in based)) return based;
    const prepared = await transform(based, { atOnce });
    if (!prepared) return TOO_LATE;
    if (prepared.lossCounts.block > 0) {
      const isCurrent = await recordPrepared(sql, attempt, ofApp(attempt, prepared), tokens);
      return isCurrent ? { verdict: blockedBy(prepared) } : { next: 'stale' };
    }
    return {
      next: attempt.app.checksImages && prepared.hasImages ? 'images' : 'ready',
      state: 'done',
      write: (steps) =>
        recordPrepared(sql, attempt, ofApp(attempt, prepared), [...tokens, ...steps]),
    };
  }

  async function judgeImages(attempt: Attempt): Promise<StepEnd<'ready'>> {
    const images = await menus.by(attempt.target.userId).images(menuOf(attempt.target));
    if (!images) return TOO_LATE;
    const bad = await deps.images.inspect(
      images.map(({ url }) => url),
      cancellationSignal(),
    );
    if (bad.size === 0) return { next: 'ready', state: 'done' };
    if (settings.IMAGE_POLICY === 'refuse') {
      return { verdict: { kind: 'images_refused', reasons: refusedImages(images, bad) } };
    }
    const prepared = await transform(attempt, { badImages: bad });
    if (!prepared) return TOO_LATE;
    return {
      next: 'ready',
      state: 'done',
      summary: `${bad.size} images left out`,
      write: (steps) => recordPrepared(sql, attempt, ofApp(attempt, prepared), steps),
    };
  }

  return {
    /**
     * The app's payload and the menu's losses. `tokenFetched`: a separate step has just fetched a token; otherwise
     * the stored token is looked up, which the status shows as the step `token`. `atOnce`: throws a `NeedsThreadError`
     * instead of waiting for a thread.
     */
    async transformMenu(
      key: AttemptKey & { tokenFetched?: boolean; atOnce?: boolean },
    ): Promise<StepReport<TransformNext | 'later'>> {
      await deps.atCheckpoint('worker:before-transform');
      const attempt = await loadAttempt(deps, key);
      if ('next' in attempt) return attempt;
      if (!key.tokenFetched && !attempt.keptToken) return { next: 'no_token' };
      if (key.atOnce && attempt.target.documentSize > SMALL_MENU_BYTES)
        throw new NeedsThreadError();
      return uploadStep(deps, attempt, 'transform', AT_ITS_END, (startedAt) => {
        const token = { name: 'token', state: 'done', startedAt } as const;
        return transformWithToken(attempt, key.tokenFetched ? [] : [token], key.atOnce ?? false);
      });
    },

    /**
     * Checks the head of every image; one that breaks the app's rules is left out, or refuses the menu, by policy.
     */
    async checkImages(key: AttemptKey): Promise<StepReport<'ready' | 'later'>> {
      return withHeartbeat(async () => {
        const attempt = await loadAttempt(deps, key);
        if ('next' in attempt) return attempt;
        return uploadStep(deps, attempt, 'images', {}, () => judgeImages(attempt));
      });
    },
  };
}

export type UploadTransformActivities = ReturnType<typeof createUploadTransformActivities>;

const TOO_LATE = { verdict: { kind: 'not_prepared' } } as const;

function ofApp({ app }: Attempt, prepared: PreparedDocument) {
  return { ...prepared, app: app.name };
}

function menuOf({ documentSha256, documentSize }: UploadTarget): KeptMenu {
  return { sha256: documentSha256, size: documentSize };
}

/** The messages that an answer can show, and their total number. */
function blockedBy({ losses, lossCounts }: PreparedDocument): UploadVerdict {
  const blocking = losses.filter(({ severity }) => severity === 'block');
  const reasons = blocking.slice(0, SHOWN_PROBLEMS).map(({ message }) => message);
  return { kind: 'blocked', reasons, count: lossCounts.block };
}
