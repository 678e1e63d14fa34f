import { EVENT_TYPES } from '../../../schemas/platform-events';
import { DELIVERY_STATES } from '../../../schemas/states';
import type { DeliveryState } from '../../webhooks/delivery';
import { isEventType } from '../../webhooks/platform-events';
import { ATTEMPT_ERROR_WORDS, DELIVERY_WORDS, WAITING_WORDS } from '../../contract/plain-words';
import { Page, type PageFrame } from '../page';
import {
  Action,
  Actions,
  byState,
  Filter,
  type FilterField,
  MADE_BY,
  NextPage,
  withFilter,
} from '../controls';
import { SentPayload, SignatureHeaders } from '../delivery-sent';
import { Store, System, systemWords } from '../names';
import {
  Answer,
  Fields,
  IdLink,
  spellDuration,
  spellMs,
  spellState,
  State,
  Table,
  Terms,
  Text,
  WebhookType,
  When,
} from '../parts';
import type { WaitingFor } from '../../contract/why-it-waits';
import { type Tone, Verdict } from '../verdict';
import { Said, toneOfWait, Waits } from '../waits';
import type { Names } from '../sql/names';

/** A delivery as the API's list shows it. */
export interface DeliveryEntry {
  readonly delivery_id: string;
  readonly inventory_system_id: string | null;
  readonly type: number | string;
  readonly store_id: number | null;
  readonly state: DeliveryState;
  readonly attempts_made: number;
  readonly next_attempt_at: Date | null;
  readonly waiting_for: WaitingFor | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly receiver_status: number | null;
  readonly message: string | null;
}

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

export function DeliveriesPage({
  frame,
  deliveries,
  names,
  filter,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly deliveries: readonly DeliveryEntry[];
  readonly names: Names;
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      <Actions>
        <a href={withFilter('/console/resend', filter)}>Send these again</a>
      </Actions>
      <Filter path="/console/deliveries" fields={fieldsOf(filter)} filter={filter} />
      <Terms words={DELIVERY_WORDS} />
      <Table
        caption={
          filter['events'] === 'true'
            ? 'Your events, newest first'
            : 'Deliveries to inventory systems, newest first'
        }
        none={nextCursor ? 'None among those that were looked at.' : 'There are none.'}
        rows={deliveries}
        columns={[
          {
            title: 'Delivery',
            cell: (row) => <IdLink path="/console/deliveries" id={row.delivery_id} />,
          },
          { title: 'State', cell: (row) => <State name={row.state} /> },
          {
            title: 'Inventory system',
            cell: (row) => <System id={row.inventory_system_id} names={names} />,
          },
          { title: 'Type', cell: (row) => <WebhookType type={row.type} /> },
          { title: 'Store', cell: (row) => <Store id={row.store_id} names={names} /> },
          { title: 'Accepted', cell: (row) => <When at={row.created_at} /> },
          { title: 'Attempts', as: 'number', cell: (row) => row.attempts_made },
          {
            title: 'HTTP status',
            as: 'number',
            cell: (row) => <Text>{row.receiver_status}</Text>,
          },
          {
            title: 'The receiver said',
            as: 'sentence',
            cell: (row) => <Waits waits={row.waiting_for} otherwise={row.message} />,
          },
        ]}
      />
      <NextPage
        path="/console/deliveries"
        csv="/console/deliveries.csv"
        filter={filter}
        cursor={nextCursor}
      />
    </Page>
  );
}

/** Events have their own types, and belong to no system. */
function fieldsOf(filter: Readonly<Record<string, string>>): readonly FilterField[] {
  const isEvents = filter['events'] === 'true';
  const types = isEvents
    ? EVENT_TYPES.map((type) => [type, type] as const)
    : ([
        ['1', 'items (1)'],
        ['2', 'stock (2)'],
      ] as const);
  return [
    byState(DELIVERY_STATES),
    { name: 'events', label: 'To', choices: [['true', 'you: events']], none: 'inventory systems' },
    { name: 'type', label: 'Type', choices: types },
    ...(isEvents
      ? []
      : [
          { name: 'inventory_system_id', label: 'Inventory system id' },
          { name: 'external_id', label: 'Item id' },
        ]),
    { name: 'store_id', label: 'Store id' },
    { name: 'receiver_status', label: 'HTTP status' },
    ...MADE_BY,
  ];
}

/** The filter without what a person has left in it of the other kind: the API would refuse it. */
export function fittingFilter(
  filter: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { type, inventory_system_id: systemId, external_id: itemId, ...others } = filter;
  const isEvents = filter['events'] === 'true';
  const isOfOtherKind = type !== undefined && isEvents !== isEventType(type);
  return {
    ...others,
    ...(type === undefined || isOfOtherKind ? {} : { type }),
    ...(systemId === undefined || isEvents ? {} : { inventory_system_id: systemId }),
    ...(itemId === undefined || isEvents ? {} : { external_id: itemId }),
  };
}

export function DeliveryPage({
  frame,
  delivery,
  names,
}: {
  readonly frame: PageFrame;
  readonly delivery: WholeDelivery;
  readonly names: Names;
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
  if (waits) {
    return (
      <Verdict
        tone={toneOfWait(waits)}
        what={
          <>
            It waits since <When at={waits.since} />.
          </>
        }
        words={WAITING_WORDS[waits.reason]}
        said={<Said waits={waits} />}
      />
    );
  }
  const title = spellState(state);
  return (
    <Verdict
      tone={TONES[state] ?? 'quiet'}
      what={`${title.charAt(0).toUpperCase()}${title.slice(1)}.`}
      words={DELIVERY_WORDS[state]}
      said={message && `The receiver said: “${message}”`}
    />
  );
}

const TONES: Readonly<Partial<Record<DeliveryState, Tone>>> = {
  pending: 'busy',
  delivered: 'good',
  acknowledged: 'good',
  refused: 'bad',
  exhausted: 'bad',
};

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
