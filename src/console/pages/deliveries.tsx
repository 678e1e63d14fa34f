import { EVENT_TYPES } from '../../../schemas/platform-events';
import { DELIVERY_STATES } from '../../../schemas/states';
import type { DeliveryState } from '../../webhooks/delivery';
import { isEventType } from '../../webhooks/platform-events';
import { DELIVERY_WORDS } from '../../contract/plain-words';
import { Page, type PageFrame } from '../page';
import {
  Actions,
  byState,
  Filter,
  type FilterField,
  MADE_BY,
  NextPage,
  withFilter,
} from '../controls';
import { Store, System } from '../names';
import { Carried } from '../carried';
import { type Column, IdLink, State, Table, Terms, Text, WebhookType, When } from '../parts';
import type { Messages } from '../with-items';
import type { WaitingFor } from '../../contract/why-it-waits';
import { Waits } from '../waits';

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

export function DeliveriesPage({
  frame,
  deliveries,
  names,
  carried,
  filter,
  nextCursor,
}: Messages & {
  readonly frame: PageFrame;
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  const isOwn =
    filter['events'] === 'true' ||
    frame.formTokenFor({ inventory_system_id: filter['inventory_system_id'] ?? null }) !== null;
  return (
    <Page frame={frame}>
      {isOwn && (
        <Actions>
          <a href={withFilter('/console/resend', filter)}>Send these again</a>
        </Actions>
      )}
      <Filter path="/console/deliveries" fields={fieldsOf(filter)} filter={filter} />
      <Terms words={DELIVERY_WORDS} />
      <DeliveryTable
        caption={
          filter['events'] === 'true'
            ? 'Your events, newest first'
            : 'Deliveries to inventory systems, newest first'
        }
        none={nextCursor ? 'None among those that were looked at.' : 'There are none.'}
        {...{ deliveries, names, carried }}
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

/** A row each; a page about one store leaves the store out, and what only a programmer asks for. */
export function DeliveryTable({
  deliveries,
  names,
  carried,
  caption,
  none,
  isOfStore = false,
}: Messages & {
  readonly caption: string;
  readonly none: string;
  readonly isOfStore?: boolean;
}) {
  const columns: readonly Column<DeliveryEntry>[] = [
    {
      title: 'Delivery',
      cell: (row) => <IdLink path="/console/deliveries" id={row.delivery_id} />,
    },
    { title: 'State', cell: (row) => <State name={row.state} /> },
    {
      title: 'What',
      as: 'item',
      cell: (row) => {
        const item = carried.get(row.delivery_id);
        return item ? (
          <Carried of={item} storeId={row.store_id} />
        ) : (
          <WebhookType type={row.type} />
        );
      },
    },
    {
      title: 'Inventory system',
      cell: (row) => <System id={row.inventory_system_id} names={names} />,
    },
    { title: 'Store', cell: (row) => <Store id={row.store_id} names={names} /> },
    { title: 'Accepted', cell: (row) => <When at={row.created_at} /> },
    { title: 'Attempts', as: 'number', cell: (row) => row.attempts_made },
    { title: 'HTTP status', as: 'number', cell: (row) => <Text>{row.receiver_status}</Text> },
    {
      title: 'The receiver said',
      as: 'sentence',
      cell: (row) => <Waits waits={row.waiting_for} otherwise={row.message} />,
    },
  ];
  const without = isOfStore ? ['Store', 'Attempts', 'HTTP status'] : [];
  return (
    <Table
      {...{ caption, none }}
      rows={deliveries}
      columns={columns.filter(({ title }) => !without.includes(title))}
    />
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
