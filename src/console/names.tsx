import type { IntegrationName, Names } from './sql/names';

/** An app's name as people say it: `App A` of `app-a`. */
export function appWords(app: string): string {
  return app.replace(
    /(?:^|-)(.)/g,
    (part, first: string) => `${part.startsWith('-') ? ' ' : ''}${first.toUpperCase()}`,
  );
}

/** `App A · Main brand (12)`; the id alone where the name is not known. */
export function integrationWords(id: string, name: IntegrationName | undefined): string {
  return name ? `${appWords(name.app)} · ${name.name} (${id})` : id;
}

/** The integration of a row. */
export function Integration({ id, names }: { readonly id: string; readonly names: Names }) {
  return <IntegrationLink id={id} name={names.integrations.get(id)} />;
}

/** `App A · Main brand (12)`, as a link to who may see its name, and so its page. */
export function IntegrationLink({
  id,
  name,
}: {
  readonly id: string;
  readonly name: IntegrationName | undefined;
}) {
  const words = <Words>{integrationWords(id, name)}</Words>;
  return name ? <a href={`/console/apps/${id}`}>{words}</a> : words;
}

/** The store of a row. */
export function Store({
  id,
  names,
}: {
  readonly id: number | string | null;
  readonly names: Names;
}) {
  return id === null ? <>–</> : <StoreLink id={id} name={names.stores.get(String(id))} />;
}

/** `Centro (12)`, as a link. */
export function StoreLink({
  id,
  name,
}: {
  readonly id: number | string;
  readonly name: string | undefined;
}) {
  return (
    <a href={`/console/stores/${id}`}>
      <Words>{name === undefined ? String(id) : `${name} (${id})`}</Words>
    </a>
  );
}

/** `Stock keeper (…)` with the whole id, for where there is room. */
export function systemWords(id: string | null, names: Names): string | null {
  const name = id === null ? undefined : names.systems.get(id);
  return name === undefined ? id : `${name} (${id})`;
}

/** The inventory system of a row, by its name. Its id is too long for a column: it appears when a pointer rests there. */
export function System({ id, names }: { readonly id: string | null; readonly names: Names }) {
  if (id === null) return <>–</>;
  const name = names.systems.get(id);
  return name === undefined ? <ShortId id={id} /> : <span title={id}>{name}</span>;
}

/** Longer names are broken into lines, characters. */
const LONGEST_WHOLE = 28;

/** A name on one line, if it is short enough, as nearly all are; otherwise its id would stand on a line of its own. */
export function Words({ children: words }: { readonly children: string }) {
  return <span class={words.length <= LONGEST_WHOLE ? 'whole' : undefined}>{words}</span>;
}

/** An id as its start: enough to tell the few of a page apart. */
function ShortId({ id }: { readonly id: string }) {
  return <span title={id}>{`${id.slice(0, 8)}…`}</span>;
}
