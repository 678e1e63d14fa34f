import { deliveryResendSchema } from '../../../schemas/lists';
import { HiddenFields, Links, withFilter } from '../controls';
import { Page, type PageFrame } from '../page';
import { Fields, spellState, spellTitle } from '../parts';

/** How many deliveries a filter finds, as far as they were counted. */
export interface ResendCount {
  readonly count: number;
  /** There may be more. */
  readonly isCut: boolean;
}

/** Whether a field of the list's filter chooses what is sent again; the others only choose a page. */
export function isResendField(name: string): boolean {
  return name !== 'dry_run' && Object.hasOwn(deliveryResendSchema.properties, name);
}

/** Asks whether to send again what the filter finds, and says how many those are. */
export function ResendPage({
  frame,
  filter,
  found,
}: {
  readonly frame: PageFrame;
  readonly filter: Readonly<Record<string, string>>;
  readonly found: ResendCount;
}) {
  const chosen = Object.entries(filter).filter(([name]) => isResendField(name));
  return (
    <Page frame={frame}>
      <Fields
        fields={
          chosen.length > 0
            ? chosen.map(
                ([name, value]) =>
                  [spellTitle(name), name === 'state' ? spellState(value) : value] as const,
              )
            : [['Filter', 'none: every delivery that has ended']]
        }
      />
      <Question frame={frame} found={found} fields={Object.fromEntries(chosen)} />
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
