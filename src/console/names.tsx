import type { IntegrationName, IntegrationNames, SystemNames } from './sql/names';

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
export function Integration({
  id,
  names,
}: {
  readonly id: string;
  readonly names: IntegrationNames;
}) {
  return <>{integrationWords(id, names.get(id))}</>;
}

/** `Stock keeper (…)` with the whole id, for where there is room. */
export function systemWords(id: string | null, names: SystemNames): string | null {
  const name = id === null ? undefined : names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}

/** The inventory system of a row; its id, which no column has room for, where a pointer rests on the name. */
export function System({ id, names }: { readonly id: string | null; readonly names: SystemNames }) {
  if (id === null) return <>–</>;
  const name = names.get(id);
  return name === undefined ? <ShortId id={id} /> : <span title={id}>{name}</span>;
}

/** An id as its start: enough to tell the few of a page apart. */
function ShortId({ id }: { readonly id: string }) {
  return <span title={id}>{`${id.slice(0, 8)}…`}</span>;
}
