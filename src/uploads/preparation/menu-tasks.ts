import type { Document } from '../sql/documents';
import { prepareMenu, prepareSmallMenu, type PreparedMenu } from '../../delivery-apps/prepare-menu';
import { type Drift, driftOf } from '../../delivery-apps/shown-changes';
import { adapterOf } from '../../delivery-apps/registry';
import type {
  AppName,
  MenuComparison,
  ShownContext,
  TransformInput,
} from '../../delivery-apps/types';
import { packInThread } from '../documents';
import type { MenuDocument } from '../../menus/menu';

/** What is done with the text of a kept menu. It goes to threads as it is, so it holds no secret. */
export type MenuTask =
  | PrepareTask
  | { readonly kind: 'images'; readonly text: Uint8Array }
  | CompareTask
  | DriftTask;

export interface PrepareTask extends Omit<TransformInput, 'menu'> {
  readonly kind: 'prepare';
  readonly app: AppName;
  readonly text: Uint8Array;
}

interface CompareTask {
  readonly kind: 'compare';
  readonly app: AppName;
  /** What was pushed. */
  readonly text: Uint8Array;
  readonly shown: Uint8Array;
}

export interface DriftTask extends ShownContext {
  readonly kind: 'drift';
  readonly app: AppName;
  /** What was pushed. */
  readonly text: Uint8Array;
  /** What the app answers. */
  readonly shown: Uint8Array;
  /** Most changes that are given. */
  readonly kept: number;
}

interface PreparedText extends PreparedMenu {
  readonly kind: 'prepared';
  /** Whether there are images to look at. */
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

/** Writes a kept menu for an app. */
function prepareText({ app, text, ...input }: PrepareTask): PreparedText {
  const menu = parseMenu(text);
  return {
    ...prepareMenu(adapterOf(app), { ...input, menu }),
    kind: 'prepared',
    hasImages: hasImages(menu),
  };
}

/** The same where its payload is no larger than `maxBytes`. */
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

/** The images of a kept menu, in the order of its items. */
export function listImages(text: Uint8Array): ListedImages {
  const images = parseMenu(text).items.flatMap(({ image_url: url, external_id: externalId }) =>
    url ? [{ url, externalId }] : [],
  );
  return { kind: 'images', images };
}

/** Whether the app shows what was pushed. */
function compare({ app, text, shown }: CompareTask): MenuComparison {
  return adapterOf(app).compareMenus?.(bufferOf(text), bufferOf(shown)) ?? 'unreadable';
}

/** Checked against every rule before the row was written; the hash says that it is still that text. */
function parseMenu(text: Uint8Array): MenuDocument {
  return JSON.parse(bufferOf(text).toString('utf8')) as MenuDocument;
}

/** A Buffer arrives in another thread as the plain bytes that it is. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What a thread answers to a task: the payload packed for its row, too. */
export type MenuTaskResult =
  | ListedImages
  | (PreparedText & { readonly document: Document })
  | { readonly kind: 'compared'; readonly comparison: MenuComparison }
  | { readonly kind: 'drift'; readonly drift: Drift | undefined };

/** Carries out a task in a thread. */
export function carryOut(task: MenuTask): MenuTaskResult {
  switch (task.kind) {
    case 'images':
      return listImages(task.text);
    case 'compare':
      return { kind: 'compared', comparison: compare(task) };
    case 'drift': {
      const { app, text, shown, kept } = task;
      const drift = driftOf(adapterOf(app), task, bufferOf(text), bufferOf(shown), kept);
      return { kind: 'drift', drift };
    }
    case 'prepare': {
      const prepared = prepareText(task);
      return { ...prepared, document: packInThread(prepared.payload) };
    }
  }
}
