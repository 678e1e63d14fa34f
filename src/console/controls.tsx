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

/** The link to the page after this one. */
export function NextPage({
  path,
  filter,
  cursor,
}: {
  readonly path: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly cursor: string | null | undefined;
}) {
  if (!cursor) return null;
  const query = new URLSearchParams({ ...filter, cursor });
  return (
    <p>
      <a href={`${path}?${query.toString()}`} rel="next">
        Older ones
      </a>
    </p>
  );
}

/** The section of a page with its actions; nothing for who may not act on what the page shows. */
export function Actions({
  formToken,
  children,
}: {
  /** Of `formTokenFor`. */
  readonly formToken: string | null;
  readonly children: ComponentChildren;
}) {
  if (formToken === null) return null;
  return (
    <section class="actions">
      <h2>Actions</h2>
      {children}
    </section>
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
}: {
  readonly name: string;
  readonly question: string;
  readonly path: string;
  /** Of `formTokenFor`. */
  readonly formToken: string | null;
  /** Parameters of the action that the path does not contain. */
  readonly fields?: Readonly<Record<string, string>>;
}) {
  if (formToken === null) return null;
  return (
    <details class="action">
      <summary>{name}</summary>
      <form method="post" action={path}>
        <input type="hidden" name="form_token" value={formToken} />
        <HiddenFields fields={fields} />
        <p>{question}</p>
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
  field: { name, choices, none = 'all' },
  value,
}: {
  readonly field: FilterField;
  readonly value: string;
}) {
  if (!choices) return <input name={name} value={value} />;
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

function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
