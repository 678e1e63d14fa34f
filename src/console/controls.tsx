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

/** An action that changes something: collapsed, and confirmed before it is done. */
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
  readonly formToken: string;
  /** Parameters of the action that the path does not contain. */
  readonly fields?: Readonly<Record<string, string>>;
}) {
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

/** A filter of a list: one choice, submitted by a button; what else the list was narrowed to stays. */
export function StateFilter({
  path,
  states,
  filter,
}: {
  readonly path: string;
  readonly states: readonly string[];
  readonly filter: Readonly<Record<string, string>>;
}) {
  const { state: chosen, cursor: _startsAgain, ...others } = filter;
  return (
    <form method="get" action={path} class="filter">
      <HiddenFields fields={others} />
      <label>
        State{' '}
        <select name="state">
          <option value="">all</option>
          {states.map((state) => (
            <option key={state} value={state} selected={state === chosen}>
              {state.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  );
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
