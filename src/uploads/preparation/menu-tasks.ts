import type { Document } from '../sql/documents';
import { prepareMenu, prepareSmallMenu, type PreparedMenu } from '../../delivery-apps/prepare-menu';
import { type Drift, driftOf } from '../../delivery-apps/shown-changes';
import { adapterOf } from '../../delivery-apps/registry';
import type { MenuComparison, SwitchedItem } from '../../delivery-apps/app-client';
import type {
  AppName,
  ItemCallPlan,
  ShownContext,
  StoreFacts,
  TransformInput,
} from '../../delivery-apps/types';
import { type OffSale, unorderableItems } from '../../delivery-apps/unorderable-items';
import { packInThread } from '../documents';
import type { MenuDocument } from '../../menus/menu';
import { type AppliedChanges, applyChanges } from '../../menus/wanted-changes/apply-changes';
import type { WantedChanges } from '../../menus/wanted-changes/wanted-changes';

/** Work on the text of a stored menu. It is sent to threads, so it holds no secret. */
export type MenuTask =
  | PrepareTask
  | { readonly kind: 'images'; readonly text: Uint8Array }
  | CompareTask
  | DriftTask
  | OffSaleTask
  | UnorderableTask
  | ItemCallTask
  | ChangeTask
  | ReadTask;

export interface PrepareTask extends Omit<TransformInput, 'menu'> {
  readonly kind: 'prepare';
  readonly app: AppName;
  readonly text: Uint8Array;
}

interface CompareTask {
  readonly kind: 'compare';
  readonly app: AppName;
  /** The pushed payload. */
  readonly text: Uint8Array;
  /** What the app shows, as it was read. */
  readonly payload: Uint8Array;
}

export interface DriftTask extends ShownContext {
  readonly kind: 'drift';
  readonly app: AppName;
  /** The pushed payload. */
  readonly text: Uint8Array;
  /** What the app shows, as it was read. */
  readonly payload: Uint8Array;
  /** The most changes to return. */
  readonly kept: number;
}

export interface OffSaleTask {
  readonly kind: 'off_sale';
  readonly app: AppName;
  /** The transformed payload. */
  readonly text: Uint8Array;
  readonly items: readonly SwitchedItem[];
}

export interface UnorderableTask extends ShownContext, OffSale {
  readonly kind: 'unorderable';
  readonly app: AppName;
  /** The pushed payload. */
  readonly text: Uint8Array;
  /** The most ids to return. */
  readonly most: number;
}

export interface ChangeTask {
  readonly kind: 'change';
  /** The four lists of a kept menu. */
  readonly text: Uint8Array;
  /** What to change in it, one after the other. */
  readonly changes: readonly WantedChanges[];
}

export interface ItemCallTask {
  readonly kind: 'item_calls';
  readonly app: AppName;
  /** The payload that the app shows, and the one that it is to show. */
  readonly before: Uint8Array;
  readonly text: Uint8Array;
  readonly store: Pick<StoreFacts, 'currencyExponent'>;
}

export interface ReadTask {
  readonly kind: 'read';
  readonly app: AppName;
  /** The name of one of the app's `textReaders`. */
  readonly reader: string;
  readonly text: Uint8Array;
  readonly about: string;
}

interface PreparedText extends PreparedMenu {
  readonly kind: 'prepared';
  /** Whether there are images to check. */
  readonly hasImages: boolean;
}

/** An item's image, and the item's POS id. */
export interface MenuImage {
  readonly url: string;
  readonly externalId: string;
}

interface ListedImages {
  readonly kind: 'images';
  readonly images: readonly MenuImage[];
}

/** Transforms a stored menu for an app. */
function prepareText({ app, text, ...input }: PrepareTask): PreparedText {
  const menu = parseMenu(text);
  return {
    ...prepareMenu(adapterOf(app), { ...input, menu }),
    kind: 'prepared',
    hasImages: hasImages(menu),
  };
}

/** The same, but only if its payload is at most `maxBytes`. */
export function prepareSmallText(
  { app, text, ...input }: PrepareTask,
  maxBytes: number,
): PreparedText | undefined {
  const menu = parseMenu(text);
  const prepared = prepareSmallMenu(adapterOf(app), { ...input, menu }, maxBytes);
  return prepared && { ...prepared, kind: 'prepared', hasImages: hasImages(menu) };
}

function hasImages(menu: MenuDocument): boolean {
  return menu.items.some((item) => item.image_url);
}

/** The images of a stored menu, in the order of its items. */
export function listImages(text: Uint8Array): ListedImages {
  const images = parseMenu(text).items.flatMap(({ image_url: url, external_id: externalId }) =>
    url ? [{ url, externalId }] : [],
  );
  return { kind: 'images', images };
}

/** Whether the app shows the pushed menu. */
function compare({ app, text, payload }: CompareTask): MenuComparison {
  return adapterOf(app).compareMenus?.(bufferOf(text), bufferOf(payload)) ?? 'unreadable';
}

/** The payload with these items off sale; as it is if the app's menus cannot say so. */
function writeOffSale({ app, text, items }: OffSaleTask): Buffer {
  const payload = bufferOf(text);
  return adapterOf(app).availability.writeUnavailable?.(payload, items) ?? payload;
}

function changeMenu({ text, changes }: ChangeTask): AppliedChanges {
  let changed = bufferOf(text);
  for (const each of changes) {
    const applied = applyChanges(changed.toString('utf8'), each);
    if (!applied.ok) return applied;
    changed = applied.text;
  }
  return { ok: true, text: changed };
}

/** See `ItemCallRules.plan`. */
function planItemCalls({ app, before, text, store }: ItemCallTask): ItemCallPlan | undefined {
  const [shown, wanted] = [before, text].map((payload): unknown =>
    JSON.parse(bufferOf(payload).toString('utf8')),
  );
  return adapterOf(app).itemCalls?.plan(shown, wanted, store);
}

/** It was checked against every rule before the row was written, and the hash proves that it is still that text. */
function parseMenu(text: Uint8Array): MenuDocument {
  return JSON.parse(bufferOf(text).toString('utf8')) as MenuDocument;
}

/** A Buffer arrives in another thread as a plain Uint8Array. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The result of a task in a thread, with the payload already compressed for its row. */
export type MenuTaskResult =
  | ListedImages
  | (PreparedText & { readonly document: Document })
  | { readonly kind: 'compared'; readonly comparison: MenuComparison }
  | { readonly kind: 'drift'; readonly drift: Drift | undefined }
  | { readonly kind: 'off_sale'; readonly payload: Buffer }
  | { readonly kind: 'unorderable'; readonly ids: readonly (readonly string[])[] }
  | { readonly kind: 'changed'; readonly applied: AppliedChanges }
  | { readonly kind: 'item_calls'; readonly plan: ItemCallPlan | undefined }
  | { readonly kind: 'read'; readonly found: readonly string[] | undefined };

/** Runs a task in a thread. */
export function carryOut(task: MenuTask): MenuTaskResult {
  switch (task.kind) {
    case 'images':
      return listImages(task.text);
    case 'compare':
      return { kind: 'compared', comparison: compare(task) };
    case 'drift': {
      const { app, text, payload, kept } = task;
      const drift = driftOf(adapterOf(app), task, bufferOf(text), bufferOf(payload), kept);
      return { kind: 'drift', drift };
    }
    case 'read': {
      const { app, reader, text, about } = task;
      const found = adapterOf(app).textReaders?.[reader]?.(bufferOf(text), about);
      return { kind: 'read', found };
    }
    case 'unorderable': {
      const { app, text, most } = task;
      const ids = unorderableItems(adapterOf(app), task, bufferOf(text), task, most);
      return { kind: 'unorderable', ids };
    }
    case 'change':
      return { kind: 'changed', applied: changeMenu(task) };
    case 'item_calls':
      return { kind: 'item_calls', plan: planItemCalls(task) };
    case 'off_sale':
      return { kind: 'off_sale', payload: writeOffSale(task) };
    case 'prepare': {
      const prepared = prepareText(task);
      return { ...prepared, document: packInThread(prepared.payload) };
    }
  }
}
