import { NO_LIVE_MENU } from '../src/uploads/usable-integration';
import { findLiveMenu, listChangesBelow, recordNewBase } from '../src/uploads/sql/changed-uploads';
import type { MenuActivityDeps } from './activity-deps';
import { type Attempt } from './load-attempt';
import type { StepEnd } from './upload-step';

/**
 * A change of single items was made on the newest menu that was accepted before it. If that has failed or was canceled
 * since, the change is made anew on what is live; and with it the changes below it that it has replaced. Any other
 * attempt is returned as it is.
 */
export async function onKeptMenu(
  { sql, documents, menus }: Pick<MenuActivityDeps, 'sql' | 'documents' | 'menus'>,
  attempt: Attempt,
): Promise<Attempt | StepEnd<never>> {
  const { target, uploadId } = attempt;
  if (target.changedFrom === null) return attempt;
  const line = await listChangesBelow(sql, uploadId);
  const base = line.at(-1);
  if (base?.state !== 'failed' && base?.state !== 'canceled') return attempt;
  const live = await findLiveMenu(sql, target);
  if (!live) return { verdict: { kind: 'rejected', reasons: [NO_LIVE_MENU] } };
  const changes = line.slice(0, -1).flatMap((each) => each.changes ?? []);
  const applied = await menus.by(target.userId).change(live, changes.toReversed());
  if (!applied) return { verdict: { kind: 'not_prepared' } };
  if (!applied.ok) return { verdict: { kind: 'rejected', reasons: applied.sentences } };
  const document = await documents.pack(applied.text);
  const isCurrent = await recordNewBase(sql, attempt, live.uploadId, document);
  if (!isCurrent) return { next: 'stale' };
  const { sha256: documentSha256, size: documentSize } = document;
  return { ...attempt, target: { ...target, documentSha256, documentSize } };
}
