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
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
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
      {Object.entries(others).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
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
