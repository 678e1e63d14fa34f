import { HiddenFields, Links, withFilter } from '../controls';
import { Page, type PageFrame } from '../page';
import { Fields, spellState, spellTitle } from '../parts';

/** How many deliveries a filter finds, as far as they were counted. */
export interface ResendCount {
  readonly count: number;
  /** There may be more. */
  readonly isCut: boolean;
}

/** The fields of the list's filter that choose what is sent again. */
const FIELDS = ['events', 'inventory_system_id', 'type', 'state'] as const;

export function isResendField(name: string): boolean {
  return FIELDS.some((each) => each === name);
}

/** Those of the list that do not: with one of them, more would be sent again than the list shows. */
export function otherFields(filter: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(filter).filter(
    (name) => !isResendField(name) && name !== 'cursor' && name !== 'limit',
  );
}

/** Asks whether to send again what the filter finds, and says how many those are. */
export function ResendPage({
  frame,
  filter,
  found,
}: {
  readonly frame: PageFrame;
  readonly filter: Readonly<Record<string, string>>;
  /** Null: the filter chooses by what cannot choose here. */
  readonly found: ResendCount | null;
}) {
  const chosen = FIELDS.flatMap((name) => (filter[name] ? [[name, filter[name]] as const] : []));
  return (
    <Page frame={frame}>
      <Fields
        fields={
          chosen.length > 0
            ? chosen.map(([name, value]) => [spellTitle(name), spellState(value)] as const)
            : [['Filter', 'none: every delivery that has ended']]
        }
      />
      {found ? (
        <Question frame={frame} found={found} fields={Object.fromEntries(chosen)} />
      ) : (
        <p role="alert">
          {`Deliveries cannot be sent again by ${otherFields(filter).map(spellState).join(', ')}: more would be sent than the list shows. Leave that out, or send them again one by one.`}
        </p>
      )}
      <Links to={[[withFilter('/console/deliveries', filter), 'Back to the list']]} />
    </Page>
  );
}

function Question({
  frame,
  found,
  fields,
}: {
  readonly frame: PageFrame;
  readonly found: ResendCount;
  readonly fields: Readonly<Record<string, string>>;
}) {
  const count = countWords(found);
  if (found.count === 0 && !found.isCut) {
    return <p>None of the deliveries that have ended matches: nothing would be sent.</p>;
  }
  return (
    <form method="post" action="/console/resend">
      <input type="hidden" name="form_token" value={frame.formToken} />
      <HiddenFields fields={fields} />
      <p>
        <b>{`${count} would be sent again`}</b>, each with its own id, so that a receiver can tell
        that it had it before. What has not ended is being sent anyway.
      </p>
      <button type="submit">{`Yes: send ${count} again`}</button>
    </form>
  );
}

/** `1 delivery`, `1,204 deliveries`, `more than 10,000 deliveries`. */
function countWords({ count, isCut }: ResendCount): string {
  const words = `${count.toLocaleString('en-US')} ${count === 1 ? 'delivery' : 'deliveries'}`;
  return isCut ? `more than ${words}` : words;
}
