import { messageIdOf } from '../webhooks/delivery-ids';
import type { DeliveryId } from '../platform/ids';
import { unixSeconds, wholeSecond } from '../platform/whole-second';
import type { WholeDelivery } from './pages/delivery';
import { Table } from './parts';

/** Characters of a payload on a page; nobody reads more, and the API has all of it. */
const MOST_SHOWN = 20_000;

/** What the receiver was sent last, in lines. */
export function SentPayload({ delivery }: { readonly delivery: WholeDelivery }) {
  const { payload = null, payload_url: url = null, delivery_id: id } = delivery;
  if (url !== null) {
    return (
      <p class="none">
        It is larger than 256 KB. The API answers it: <code>{`GET ${url}`}</code>
      </p>
    );
  }
  if (payload === null) return <p class="none">Nothing has been sent yet.</p>;
  const text = JSON.stringify(payload, null, 2);
  return (
    <>
      <pre class="sent" tabIndex={0} role="region" aria-label="What was sent">
        {text.slice(0, MOST_SHOWN)}
      </pre>
      {text.length > MOST_SHOWN && (
        <p class="none">
          {`The first ${MOST_SHOWN} characters. The API answers all of it: `}
          <code>{`GET /api/v1/webhooks/deliveries/${id}`}</code>
        </p>
      )}
    </>
  );
}

/** One header of a request to a receiver. */
interface Header {
  readonly name: string;
  readonly value: string;
  readonly about: string;
}

/** The headers that a receiver verifies. Signatures are made anew for each attempt, and are not kept. */
export function SignatureHeaders({ delivery }: { readonly delivery: WholeDelivery }) {
  return (
    <>
      <p>
        It takes the secret of its webhook, and computes HMAC-SHA256 over{' '}
        <code>webhook-id.webhook-timestamp.body</code>; the base64 of that must be in{' '}
        <code>webhook-signature</code>. <a href="/docs">The documentation</a> has it in many
        languages.
      </p>
      <Table
        caption="Headers of the last attempt"
        none="There are none."
        rows={headersOf(delivery)}
        columns={[
          { title: 'Header', cell: ({ name }) => <code class="whole">{name}</code> },
          { title: 'Value', cell: ({ value }) => <code>{value}</code> },
          { title: 'What it is', as: 'sentence', cell: ({ about }) => about },
        ]}
      />
    </>
  );
}

function headersOf({ delivery_id: id, type, attempts }: WholeDelivery): readonly Header[] {
  const last = attempts.at(-1);
  const timestamp = last && unixSeconds(wholeSecond(new Date(last.started_at).getTime()));
  const isEvent = type !== 1 && type !== 2;
  return [
    {
      name: 'webhook-id',
      value: messageIdOf(id as DeliveryId),
      about: 'The same for every attempt, so that a receiver can tell that it had it before.',
    },
    {
      name: 'webhook-timestamp',
      value: timestamp === undefined ? '–' : String(timestamp),
      about: 'When the attempt was made, in seconds since 1970: a receiver refuses an old one.',
    },
    {
      name: 'webhook-signature',
      value: 'v1,…',
      about:
        'Made anew for each attempt and not kept; two of them while a secret is being replaced.',
    },
    ...(isEvent
      ? []
      : [
          {
            name: 'X-Signature-Request',
            value: 'v1=…',
            about: 'The same in the older form, over the member now and the body, in hex.',
          },
        ]),
  ];
}
