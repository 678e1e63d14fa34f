import { adapterOf } from '../delivery-apps/registry';
import type { AppName, ShownContext } from '../delivery-apps/types';
import { changeLine } from '../menus/changes/change-lines';
import { changesBetween, countChanges } from '../menus/changes/menu-changes';
import type { MenuDocument } from '../menus/menu';
import { withUnavailable } from './with-unavailable';

/** Work on the stored texts of an upload, as it is sent to a thread. */
export type VersionWork = ShownWork | ChangesWork;

/** Reads a payload back into the common form. */
export interface ShownWork extends Pick<ShownContext, 'store' | 'priceUnit'> {
  readonly kind: 'shown';
  readonly app: AppName;
  readonly payload: Uint8Array;
  /** The menu from which it was made. */
  readonly menu: Uint8Array;
  /** The app's ids of what is off sale now. */
  readonly unavailableIds: readonly string[];
}

/** Compares two menus and writes a page of the differences. */
interface ChangesWork {
  readonly kind: 'changes';
  /** Null: there was no menu before. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly form: 'json' | 'lines';
  /** How many changes are on previous pages, and at most on this one. */
  readonly offset: number;
  readonly limit: number;
}

export interface WrittenVersion {
  readonly kind: 'written';
  /** UTF-8: a JSON value, `"counts":…,"changes":…` without braces, or lines. */
  readonly text: Uint8Array;
  /** For changes: whether there are more after this page. */
  readonly hasMore: boolean;
}

/** Runs the work in a thread. */
export function carryOutVersion(work: VersionWork): WrittenVersion {
  return work.kind === 'shown' ? writeShown(work) : writeChanges(work);
}

function writeShown({ app, payload, menu, unavailableIds, ...context }: ShownWork): WrittenVersion {
  const { menus: sentMenus } = parse(menu) as MenuDocument;
  const read = adapterOf(app).readShown(parse(payload), { ...context, sentMenus });
  const shown = withUnavailable(read, unavailableIds);
  return { kind: 'written', text: Buffer.from(JSON.stringify(shown)), hasMore: false };
}

function writeChanges({ before, after, form, offset, limit }: ChangesWork): WrittenVersion {
  const old = before && (parse(before) as MenuDocument);
  const changes = changesBetween(old, parse(after) as MenuDocument);
  const page = changes.slice(offset, offset + limit);
  const text =
    form === 'json'
      ? JSON.stringify({ counts: countChanges(changes), changes: page }).slice(1, -1)
      : page.map((change) => `${changeLine(change)}\n`).join('');
  return { kind: 'written', text: Buffer.from(text), hasMore: changes.length > offset + limit };
}

/** Both were checked before they were stored. */
function parse({ buffer, byteOffset, byteLength }: Uint8Array): unknown {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
}
