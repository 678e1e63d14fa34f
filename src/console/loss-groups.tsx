import { LOSS_WORDS } from '../contract/plain-words';
import type { Loss } from '../delivery-apps/types';
import { Means } from './means';
import { spellTitle, State } from './parts';

/** More of a group are opened by who wants to read them. */
const OPEN = 20;

/** Losses by their code: how many of each, what it means and what to do, and the entities that they are about. */
export function LossGroups({
  losses,
  none,
  heading: Heading = 'h3',
}: {
  readonly losses: readonly Loss[];
  /** Shown instead of no losses. */
  readonly none: string;
  readonly heading?: 'h3' | 'h4' | 'h5';
}) {
  if (losses.length === 0) return <p class="none">{none}</p>;
  return (
    <>
      {groupLosses(losses).map(({ code, severity, losses: own }) => (
        <section key={code} class="loss-group">
          <Heading>
            {spellTitle(code)} <State name={severity} /> <span class="count">{own.length}</span>
          </Heading>
          <Means words={LOSS_WORDS[code]} />
          <LossList losses={own.slice(0, OPEN)} severity={severity} />
          {own.length > OPEN && (
            <details>
              <summary>{`The other ${own.length - OPEN}`}</summary>
              <LossList losses={own.slice(OPEN)} severity={severity} />
            </details>
          )}
        </section>
      ))}
    </>
  );
}

/** All losses of one code. */
interface LossGroup {
  readonly code: Loss['code'];
  /** Of the first, and so the most severe. */
  readonly severity: Loss['severity'];
  readonly losses: readonly Loss[];
}

/** The losses by code, in the order in which codes first occur: the API has the most severe first. */
export function groupLosses(losses: readonly Loss[]): readonly LossGroup[] {
  const byCode = new Map<Loss['code'], [Loss, ...Loss[]]>();
  for (const loss of losses) {
    const others = byCode.get(loss.code);
    if (others) others.push(loss);
    else byCode.set(loss.code, [loss]);
  }
  return [...byCode].map(([code, own]) => ({ code, severity: own[0].severity, losses: own }));
}

function LossList({
  losses,
  severity,
}: {
  readonly losses: readonly Loss[];
  /** That of the group, which stands at its head. */
  readonly severity: Loss['severity'];
}) {
  return (
    <ul class="losses">
      {losses.map((loss, index) => (
        <li key={index}>
          {loss.severity !== severity && (
            <>
              <State name={loss.severity} />{' '}
            </>
          )}
          {loss.external_id !== null && <b>{loss.external_id} </b>}
          {loss.message} {loss.pointer !== '' && <code>{loss.pointer}</code>}
        </li>
      ))}
    </ul>
  );
}
