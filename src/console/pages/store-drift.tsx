import { DRIFT_WORDS } from '../../contract/plain-words';
import type { MenuChange } from '../../menus/changes/menu-changes';
import { differenceWords } from '../difference-words';
import { When } from '../parts';
import type { AppFacts } from '../sql/store-apps';
import type { LiveEntry } from './stores';

/** Whether the app still shows what was sent, and what it shows otherwise. */
export function Compared({
  live: { drift, upload_id: id },
  facts: { driftChanges },
  readsMenus,
}: {
  readonly live: LiveEntry;
  readonly facts: AppFacts;
  readonly readsMenus: boolean;
}) {
  if (!readsMenus) return <>this app cannot be asked what it shows</>;
  if (!id) return <>nothing to compare with yet</>;
  const { means } = DRIFT_WORDS[drift.state as keyof typeof DRIFT_WORDS];
  return (
    <>
      {means}
      {drift.state === 'changed' && drift.changes_count !== null && (
        <>
          {' '}
          {drift.changes_count === 1 ? 'One difference.' : `${drift.changes_count} differences.`}
        </>
      )}
      {drift.checked_at && (
        <>
          {' '}
          Last read <When at={drift.checked_at} />.
        </>
      )}
      {drift.state === 'changed' && <Differences changes={driftChanges ?? []} />}
    </>
  );
}

/** Differences that a card lists at once. */
const LISTED_DIFFERENCES = 5;

/** What the app shows otherwise than it was sent: the first few, and the others for who opens them. */
function Differences({ changes }: { readonly changes: readonly MenuChange[] }) {
  const sentences = changes.map(differenceWords);
  const [first, others] = [
    sentences.slice(0, LISTED_DIFFERENCES),
    sentences.slice(LISTED_DIFFERENCES),
  ];
  return (
    <>
      <Sentences of={first} />
      {others.length > 0 && (
        <details>
          <summary>{`${others.length} more`}</summary>
          <Sentences of={others} />
        </details>
      )}
    </>
  );
}

function Sentences({ of: sentences }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence, index) => (
        <li key={index}>{sentence}</li>
      ))}
    </ul>
  );
}
