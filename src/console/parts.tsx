import type { ComponentChildren } from 'preact';
import type { PlainWords } from '../contract/plain-words';
import { EVENTS } from '../webhooks/platform-events';
import type { Tone } from './verdict';

/** Text, or a dash if there is none. */
export function Text({ children }: { readonly children: string | number | null | undefined }) {
  return <>{children === null || children === undefined || children === '' ? '–' : children}</>;
}

/** The app's own reason, if there is one: it comes after our sentence that something failed. */
export function reasonOf(messages: readonly string[]): string | undefined {
  return messages[1] ?? messages[0];
}

/**
 * A link to what an id names. In a table the id is cut in its middle, so that a row shows more than it: its start is a
 * time, and its end tells apart what was made at once.
 */
export function IdLink({ path, id }: { readonly path: string; readonly id: string }) {
  return (
    <a class="id" href={`${path}/${id}`} title={id}>
      <span>{id.slice(0, -6)}</span>
      {id.slice(-6)}
    </a>
  );
}

/** The type of a webhook or a delivery in the API, with its word. */
export function WebhookType({ type }: { readonly type: number | string }) {
  return <span class="type">{WEBHOOK_TYPES[String(type)] ?? type}</span>;
}

/** The API has no number for the webhook of a user's events. */
const WEBHOOK_TYPES: Readonly<Record<string, string>> = {
  1: 'items (1)',
  2: 'stock (2)',
  [EVENTS]: 'events',
};

/** The page of a workflow in the Temporal UI, if there is one. */
export function Trace({ url }: { readonly url: string | null }) {
  return url ? <a href={url}>Temporal UI</a> : <>–</>;
}

/** A state as a coloured word; the colour adds nothing to the word. */
export function State({
  name,
  tone = toneOf(name),
}: {
  readonly name: string;
  /** Where the word alone does not say how bad it is. */
  readonly tone?: Tone | 'neutral';
}) {
  return <span class={`state ${tone}`}>{spellState(name)}</span>;
}

export function spellState(state: string): string {
  return state.replaceAll('_', ' ');
}

/** `Partly uploaded` of `partly_uploaded`. */
export function spellTitle(state: string): string {
  return `${state.charAt(0).toUpperCase()}${spellState(state.slice(1))}`;
}

/** The class that gives a state its colour. */
export function toneOf(state: string): Tone | 'neutral' {
  return TONES[state] ?? 'neutral';
}

const TONES: Readonly<Record<string, Tone>> = {
  uploaded: 'good',
  live: 'good',
  'on its way': 'busy',
  'not active': 'bad',
  'still sold': 'bad',
  'off sale': 'warn',
  failing: 'warn',
  delivered: 'good',
  acknowledged: 'good',
  'would be taken': 'good',
  'would be refused': 'bad',
  enabled: 'good',
  done: 'good',
  partly_uploaded: 'warn',
  paused: 'warn',
  changed: 'warn',
  unreadable: 'warn',
  stopped: 'warn',
  reverting: 'busy',
  waiting: 'busy',
  waits: 'warn',
  same: 'good',
  added: 'good',
  removed: 'bad',
  warn: 'warn',
  failed: 'bad',
  refused: 'bad',
  exhausted: 'bad',
  disabled: 'bad',
  block: 'bad',
  running: 'busy',
  pending: 'busy',
  queued: 'busy',
};

/** Longer answers are opened by who wants to read them. */
const LONGEST_OPEN = 120;

/** What was answered, as far as it is kept. */
export function Answer({ text }: { readonly text: string | null | undefined }) {
  if (!text || text.length <= LONGEST_OPEN) return <Text>{text}</Text>;
  return (
    <>
      {`${text.slice(0, LONGEST_OPEN)} …`}
      <details>
        <summary>All of it</summary>
        <code>{text}</code>
      </details>
    </>
  );
}

/**
 * A moment in UTC, to the second; `datetime` has the API's own text. The script of the pages writes it in the reader's
 * zone.
 */
export function When({
  at,
  before = '',
}: {
  readonly at: Date | string | null | undefined;
  /** Words that stand before it, such as `until `. */
  readonly before?: string;
}) {
  if (!at) return <>–</>;
  const iso = new Date(at).toISOString();
  return (
    <>
      {before}
      <time dateTime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)}`}</time>
    </>
  );
}

/** A duration in the largest unit of which there are two: `90 s`, `45 min`, `30 h`, `3 days`. */
export function spellDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 120 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** A short duration: `41 ms`, `2.5 s`. */
export function spellMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand to the right; sentences and items get room, so that a narrow window does not make a word a line. */
  readonly as?: 'number' | 'sentence' | 'item';
}

/**
 * A table that scrolls separately if it is wider than the window. In a narrow window each row is a card, with the titles
 * beside the values; because of the roles it stays a table to screen readers.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  none,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of an empty table. */
  readonly none: string;
}) {
  if (rows.length === 0) return <p class="none">{none}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table role="table">
        <caption>
          <span>{caption}</span>
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, as }) => (
              <th key={title} scope="col" role="columnheader" class={as}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={index} role="row">
              {columns.map(({ title, cell, as }) => (
                <td key={title} role="cell" class={as} data-label={title}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The sentences of a refusal; a screen reader reads them as soon as they appear. */
export function Problems({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div role="alert">
      <ul>
        {sentences.map((sentence, index) => (
          <li key={index}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

/**
 * What the words of a page mean and what to do about them, for who asks: opened where they stand, by pointer, finger or
 * key.
 */
export function Terms({
  words,
  of = 'What the states mean',
}: {
  readonly words: Readonly<Record<string, PlainWords>>;
  readonly of?: string;
}) {
  return (
    <details class="terms">
      <summary>{of}</summary>
      <dl>
        {Object.entries(words).map(([name, { means, todo }]) => (
          <div key={name}>
            <dt>
              <State name={name} />
            </dt>
            <dd>
              {means} {todo}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Names with their values. */
export function Fields({
  fields,
}: {
  readonly fields: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
