import type { ProblemGroup, ProblemPlace } from '../problem-groups';

/** The errors of a menu, by sentence: what is wrong, what to write, and each place with what was sent there. */
export function ProblemList({ groups }: { readonly groups: readonly ProblemGroup[] }) {
  return (
    <div role="alert" class="problems">
      <ul>
        {groups.map((group) => (
          <li key={group.sentence}>
            {group.sentence}
            {group.count > 1 && ` (${group.count} times)`}
            {group.hints.map((hint) => (
              <p key={hint} class="none">
                {hint}
              </p>
            ))}
            {group.places.length > 0 && <Places {...group} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Places({ places, count }: Pick<ProblemGroup, 'places' | 'count'>) {
  const more = count - places.length;
  return (
    <ul>
      {places.map((place) => (
        <li key={place.pointer}>
          <Place {...place} />
        </li>
      ))}
      {more > 0 && <li>{`and ${more} more`}</li>}
    </ul>
  );
}

function Place({ pointer, externalId, sent }: ProblemPlace) {
  return (
    <>
      {externalId !== null && <b>{externalId} </b>}
      {pointer !== '' && <code>{pointer}</code>}
      {sent !== null && (
        <>
          {' was sent as '}
          <code>{sent}</code>
        </>
      )}
    </>
  );
}
