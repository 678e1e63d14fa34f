import { ATTEMPT_ERROR_WORDS, DELIVERY_WORDS } from '../../contract/plain-words';
import { Action, Actions } from '../controls';
import { SentPayload, SignatureHeaders } from '../delivery-sent';
import { Carried } from '../carried';
import { Store, systemWords } from '../names';
import { Page, type PageFrame } from '../page';
import {
  Answer,
  Fields,
  spellDuration,
  spellMs,
  spellTitle,
  State,
  Table,
  Text,
  WebhookType,
  When,
} from '../parts';
import type { CarriedItems } from '../sql/carried-items';
import type { Names } from '../sql/names';
import { toneOfState, Verdict } from '../verdict';
import { WaitVerdict } from '../waits';
import type { DeliveryEntry } from './deliveries';

/** A delivery as the API returns it at its own URL. */
export interface WholeDelivery extends DeliveryEntry {
  /** The JSON that was sent last; null before the first attempt, and of one that is too large. */
  readonly payload?: unknown;
  /** Where the API answers it, if it is too large. */
  readonly payload_url?: string | null;
  readonly attempts: readonly {
    readonly number: number;
    readonly started_at: Date;
    readonly duration_ms: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly detail: string | null;
    readonly response: string | null;
  }[];
}

/** One delivery: what became of it, its attempts, and what was sent. */
export function DeliveryPage({
  frame,
  delivery,
  names,
  carried,
}: {
  readonly frame: PageFrame;
  readonly delivery: WholeDelivery;
  readonly names: Names;
  readonly carried: CarriedItems;
}) {
  const formToken = frame.formTokenFor(delivery);
  return (
    <Page frame={frame}>
      <Actions formToken={formToken}>
        <Action
          name="Send again"
          question="The receiver gets the same delivery once more, with the same id."
          path={`/console/deliveries/${delivery.delivery_id}/resend`}
          formToken={formToken}
        />
      </Actions>
      <DeliveryVerdict delivery={delivery} />
      <Fields
        fields={[
          ['State', <State key="state" name={delivery.state} />],
          ['Type', <WebhookType key="type" type={delivery.type} />],
          [
            'What',
            <Carried
              key="what"
              of={carried.get(delivery.delivery_id)}
              storeId={delivery.store_id}
            />,
          ],
          ['Inventory system', <SystemLink key="system" delivery={delivery} names={names} />],
          ['Store', <Store key="store" id={delivery.store_id} names={names} />],
          ['Accepted', <When key="accepted" at={delivery.created_at} />],
          ['Ended', <When key="ended" at={delivery.finished_at} />],
          ['Next attempt', <When key="next" at={delivery.next_attempt_at} />],
          ['The receiver said', <Text key="message">{delivery.message}</Text>],
        ]}
      />
      <section>
        <h2>Attempts</h2>
        <Table
          caption="Every attempt, oldest first"
          none="No attempt has been made."
          rows={delivery.attempts}
          columns={[
            { title: 'No.', as: 'number', cell: (each) => each.number },
            { title: 'Began', cell: (each) => <When at={each.started_at} /> },
            { title: 'Waited', as: 'number', cell: (each) => waitBefore(each, delivery.attempts) },
            { title: 'Took', as: 'number', cell: (each) => `${each.duration_ms} ms` },
            { title: 'HTTP status', as: 'number', cell: (each) => <Text>{each.status}</Text> },
            { title: 'What is wrong', as: 'sentence', cell: whatIsWrong },
            {
              title: 'Answer',
              as: 'sentence',
              cell: (each) => <Answer text={each.response} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>What was sent</h2>
        <SentPayload delivery={delivery} />
      </section>
      <section>
        <h2>How the receiver knows that it is from us</h2>
        <SignatureHeaders delivery={delivery} />
      </section>
    </Page>
  );
}

/** What became of it, or why it waits, in a sentence with what to do. */
function DeliveryVerdict({ delivery }: { readonly delivery: WholeDelivery }) {
  const { state, waiting_for: waits, message } = delivery;
  if (waits) return <WaitVerdict waits={waits} />;
  return (
    <Verdict
      tone={toneOfState(state)}
      what={`${spellTitle(state)}.`}
      words={DELIVERY_WORDS[state]}
      said={message && `The receiver said: “${message}”`}
    />
  );
}

/** The words of the code, the code itself, and what the attempt found. */
function whatIsWrong({ error, detail }: Attempt) {
  if (error === null) return <Text>{detail}</Text>;
  return (
    <>
      {ATTEMPT_ERROR_WORDS[error]?.means} <code>{error}</code> {detail}
    </>
  );
}

/** From the end of the attempt before to the beginning of this one. */
function waitBefore(attempt: Attempt, all: readonly Attempt[]): string {
  const before = all[all.indexOf(attempt) - 1];
  if (!before) return '–';
  const endedAt = new Date(before.started_at).getTime() + before.duration_ms;
  const ms = Math.max(0, new Date(attempt.started_at).getTime() - endedAt);
  return ms < 10_000 ? spellMs(ms) : spellDuration(ms / 1_000);
}

type Attempt = WholeDelivery['attempts'][number];

/** Its system, as a link to the webhook, to who may see that: who may see its name. */
function SystemLink({
  delivery: { inventory_system_id: id, type },
  names,
}: {
  readonly delivery: DeliveryEntry;
  readonly names: Names;
}) {
  const words = systemWords(id, names);
  if (id === null || !names.systems.has(id)) return <Text>{words}</Text>;
  return <a href={`/console/webhooks/${id}/${type}`}>{words}</a>;
}
