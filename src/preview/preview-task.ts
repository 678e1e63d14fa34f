import { createLossBook } from '../delivery-apps/losses';
import { prepareWire, type PreparedWire } from '../delivery-apps/prepare-menu';
import { adapterOf } from '../delivery-apps/registry';
import { countShown } from '../delivery-apps/shown';
import type { AppName, TransformInput } from '../delivery-apps/types';
import { changesBetween, countChanges } from '../menus/changes/menu-changes';
import { isOutOfSeason, type MenuDocument, offSaleIn, seasonsIn } from '../menus/menu';
import { SHOWN_PROBLEMS } from '../platform/validation/shown-problems';
import { carryOutVersion, type VersionWork, type WrittenVersion } from './version-work';
import { withUnavailable } from './with-unavailable';
import { listImages, type MenuImage } from '../uploads/preparation/menu-tasks';

/** Optional parts of a preview besides losses and counts. */
export const PREVIEW_PARTS = ['shown', 'payload', 'changes'] as const;
export type PreviewPart = (typeof PREVIEW_PARTS)[number];

/** The live menu of an integration. */
export interface LiveText {
  readonly uploadId: string;
  readonly sha256: string;
  /** The menu as it was sent. */
  readonly text: Uint8Array;
}

/** The preview of one menu in one app. It is sent to a thread, so it holds no secret. */
export interface PreviewTask extends Omit<TransformInput, 'menu'> {
  readonly kind: 'preview';
  readonly app: AppName;
  /** False: the app is not enabled in this deployment, so it gets no menu at all. */
  readonly isConfigured: boolean;
  /** The same for all tasks about one menu. */
  readonly request: string;
  readonly text: Uint8Array;
  readonly include: readonly PreviewPart[];
  /** POS ids of the items off sale in the integration, which any menu would show as such. */
  readonly unavailableIds: readonly string[];
  /** Of the store, `yyyy-MM-dd`: by it items are out of season. */
  readonly today: string;
  /** Null: nothing is live. */
  readonly live: LiveText | null;
}

export interface PreviewedMenu {
  readonly kind: 'previewed';
  /** The first blocking messages, and their total number. */
  readonly blocking: readonly string[];
  readonly blockCount: number;
  /**
   * JSON in UTF-8, one piece after the other: the members of the result that concern the menu, without the braces.
   * Each piece has memory of its own.
   */
  readonly members: readonly Uint8Array[];
}

export type PreviewWork =
  | PreviewTask
  | VersionWork
  | { readonly kind: 'images'; readonly text: Uint8Array };
export type PreviewWorkResult =
  | PreviewedMenu
  | WrittenVersion
  | { readonly kind: 'images'; readonly images: readonly MenuImage[] };

/** Gives each text memory of its own, which can be sent without a copy; that of a small Buffer is shared. */
const utf8 = new TextEncoder();

/** Most changes in one preview (docs/api.md, "Preview a menu"). */
const MOST_CHANGES = 100;

/** Runs the work in a thread. */
export function carryOutPreview(work: PreviewWork): PreviewWorkResult {
  switch (work.kind) {
    case 'preview':
      return runPreview(work);
    case 'images':
      return listImages(work.text);
    case 'shown':
    case 'changes':
      return carryOutVersion(work);
  }
}

function runPreview({ isConfigured, ...task }: PreviewTask): PreviewedMenu {
  const menu = parseOnce(task);
  return isConfigured ? previewInApp(menu, task) : previewWithoutApp(menu, task.include);
}

function previewInApp(menu: MenuDocument, task: Omit<PreviewTask, 'isConfigured'>): PreviewedMenu {
  const adapter = adapterOf(task.app);
  const prepared = prepareWire(adapter, { ...task, menu });
  if (prepared.lossCounts.block > 0) return blocked(prepared, task.include);
  const read = adapter.readShown(prepared.wire, { ...task, sentMenus: menu.menus });
  const outOfSeason = seasonsIn(menu).filter((season) => isOutOfSeason(season, task.today));
  const own = [...offSaleIn(menu), ...outOfSeason].map(({ externalId }) => externalId);
  const ids = [...task.unavailableIds, ...own];
  const off = ids.flatMap((id) => prepared.itemIds.get(id) ?? []);
  const shown = withUnavailable(read, off);
  const parts: Readonly<Record<PreviewPart, () => Uint8Array>> = {
    shown: () => utf8.encode(JSON.stringify(shown)),
    payload: () => new Uint8Array(prepared.payload()),
    changes: () => utf8.encode(changesSince(task, menu)),
  };
  const counts = { counts: countShown(shown), payload_bytes: prepared.payloadSize };
  return previewed(
    prepared,
    counts,
    task.include.map((part) => [part, parts[part]()]),
  );
}

/** Reports the losses, but nothing about a payload, because none would be sent. */
function blocked(
  losses: Pick<PreparedWire, 'losses' | 'lossCounts'>,
  include: readonly PreviewPart[],
): PreviewedMenu {
  const counts = { counts: null, payload_bytes: null };
  return previewed(
    losses,
    counts,
    include.map((part) => [part, utf8.encode('null')]),
  );
}

function previewWithoutApp(menu: MenuDocument, include: readonly PreviewPart[]): PreviewedMenu {
  const book = createLossBook();
  const [first] = menu.menus;
  if (first) {
    const ref = { kind: 'menu', index: 0, externalId: first.identifier } as const;
    book.add('integration_not_configured', ref);
  }
  return blocked({ losses: book.list(), lossCounts: book.counts() }, include);
}

function previewed(
  { losses, lossCounts }: Pick<PreparedWire, 'losses' | 'lossCounts'>,
  counts: object,
  parts: readonly (readonly [name: PreviewPart, json: Uint8Array])[],
): PreviewedMenu {
  const head = utf8.encode(JSON.stringify({ losses, ...counts }).slice(1, -1));
  const rest = parts.flatMap(([name, json]) => [utf8.encode(`,"${name}":`), json]);
  return {
    kind: 'previewed',
    blocking: losses
      .filter(({ severity }) => severity === 'block')
      .slice(0, SHOWN_PROBLEMS)
      .map(({ message }) => message),
    blockCount: lossCounts.block,
    members: [head, ...rest],
  };
}

/** The JSON of the changes since the live menu, shared by apps with the same one. */
function changesSince(
  { request, live }: Pick<PreviewTask, 'request' | 'live'>,
  menu: MenuDocument,
): string {
  const sha256 = live?.sha256 ?? null;
  if (compared?.request !== request || compared.sha256 !== sha256) {
    const changes = changesBetween(live ? parse(live.text) : null, menu);
    const written = { counts: countChanges(changes), changes: changes.slice(0, MOST_CHANGES) };
    compared = { request, sha256, members: JSON.stringify(written).slice(1) };
  }
  return `{"against":${JSON.stringify(live?.uploadId ?? null)},${compared.members}`;
}

/** The last comparison, because the other apps of the request follow. */
let compared:
  | { readonly request: string; readonly sha256: string | null; readonly members: string }
  | undefined;

/**
 * Up to this size the last menu stays parsed, because it is needed once per app. Parsed, it takes up to 20 times its
 * size.
 */
const KEPT_MENU_BYTES = 1_048_576;
let kept: { readonly request: string; readonly menu: MenuDocument } | undefined;

function parseOnce({ request, text }: Pick<PreviewTask, 'request' | 'text'>): MenuDocument {
  if (kept?.request === request) return kept.menu;
  kept = undefined;
  const menu = parse(text);
  if (text.length <= KEPT_MENU_BYTES) kept = { request, menu };
  return menu;
}

/** It was checked against every rule before. */
function parse(text: Uint8Array): MenuDocument {
  const { buffer, byteOffset, byteLength } = text;
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')) as MenuDocument;
}
