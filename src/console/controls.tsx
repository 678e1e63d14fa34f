import type { ComponentChildren } from 'preact';

/** The pages that a page leads to. */
export function Links({
  to,
}: {
  readonly to: readonly (readonly [path: string, words: string])[];
}) {
  return (
    <ul class="links">
      {to.map(([path, words]) => (
        <li key={path}>
          <a href={path}>{words}</a>
        </li>
      ))}
    </ul>
  );
}

/** A path with the filter of a list, from its first page on. */
export function withFilter(path: string, filter: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(filter);
  query.delete('cursor');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The links to the page after this one, and to the whole list as a file. */
export function NextPage({
  path,
  filter,
  cursor,
  csv,
  csvOf,
}: {
  readonly path: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly cursor: string | null | undefined;
  /** Where the list is in CSV, if it is. */
  readonly csv?: string;
  /** What is in that file, where it is not the list of the page. */
  readonly csvOf?: string;
}) {
  const query = new URLSearchParams({ ...filter, ...(cursor && { cursor }) });
  return (
    <ul class="links">
      {cursor && (
        <li>
          <a href={`${path}?${query.toString()}`} rel="next">
            Older ones
          </a>
        </li>
      )}
      {csv && (
        <li>
          <a href={withFilter(csv, filter)} download>
            {csvOf === undefined ? 'As CSV' : `${csvOf} as CSV`}, up to 10,000 rows
          </a>
        </li>
      )}
    </ul>
  );
}

/** The actions of a page or a card, at its top; nothing for who may not act on what it shows. */
export function Actions({
  formToken,
  children,
}: {
  /** Of `formTokenFor`; left out where there are links among them. */
  readonly formToken?: string | null;
  readonly children: ComponentChildren;
}) {
  if (formToken === null) return null;
  return (
    <div class="actions" role="group" aria-label="Actions">
      {children}
    </div>
  );
}

/**
 * An action that changes something: collapsed, and confirmed before it is done. Nothing for who may not act on the thing.
 */
export function Action({
  name,
  question,
  path,
  formToken,
  fields = {},
  children,
}: {
  readonly name: string;
  readonly question: string;
  readonly path: string;
  /** Of `formTokenFor`. */
  readonly formToken: string | null;
  /** Parameters of the action that the path does not contain. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What else a person may enter. */
  readonly children?: ComponentChildren;
}) {
  if (formToken === null) return null;
  return (
    <details class="action">
      <summary>{name}</summary>
      <form method="post" action={path}>
        <input type="hidden" name="form_token" value={formToken} />
        <HiddenFields fields={fields} />
        <p>{question}</p>
        {children}
        <button type="submit">{`Yes: ${name.toLowerCase()}`}</button>
      </form>
    </details>
  );
}

/** One field of a filter: a choice, or a text. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** Values with their words; without them any text may be entered. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** The words of no choice. */
  readonly none?: string;
  /** The form of a text, shown while there is none. */
  readonly example?: string;
}

/** A filter of a list, submitted by a button; what else the list was narrowed to stays. */
export function Filter({
  path,
  fields,
  filter,
}: {
  readonly path: string;
  readonly fields: readonly FilterField[];
  readonly filter: Readonly<Record<string, string>>;
}) {
  const shown = new Set(['cursor', ...fields.map(({ name }) => name)]);
  const others = Object.entries(filter).filter(([name]) => !shown.has(name));
  return (
    <form method="get" action={path} class="filter">
      <HiddenFields fields={Object.fromEntries(others)} />
      {fields.map((field) => (
        <label key={field.name}>
          {field.label} <FilterControl field={field} value={filter[field.name] ?? ''} />
        </label>
      ))}
      <button type="submit">Show</button>
    </form>
  );
}

function FilterControl({
  field: { name, choices, none = 'all', example },
  value,
}: {
  readonly field: FilterField;
  readonly value: string;
}) {
  if (!choices) return <input name={name} value={value} placeholder={example} />;
  return (
    <select name={name}>
      <option value="">{none}</option>
      {choices.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** The field of a filter by state. */
export function byState(states: readonly string[]): FilterField {
  const choices = states.map((state) => [state, state.replaceAll('_', ' ')] as const);
  return { name: 'state', label: 'State', choices };
}

/** The fields of a filter by when and by which request a row was made. */
export const MADE_BY: readonly FilterField[] = [
  { name: 'since', label: 'Since (UTC)', example: '2026-05-01 18:30' },
  { name: 'until', label: 'Until (UTC)', example: '2026-05-02' },
  { name: 'request_id', label: 'Request id' },
];

export function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
