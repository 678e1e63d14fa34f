import type { ImageInspector } from '../delivery-apps/images/image-inspector';
import { refusedImages } from '../delivery-apps/images/refused-images';
import { toImageUrl } from '../delivery-apps/images/image-url';
import { findDeliveryApp, type Registration } from '../delivery-apps/registry';
import { inputOfSettings, type TransformSettings } from '../delivery-apps/transform-settings';
import { type ImageVerdict, storeFactsOf } from '../delivery-apps/types';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { UserId } from '../platform/ids';
import type { DocumentStore } from '../uploads/documents';
import type { MenuImage } from '../uploads/preparation/menu-tasks';
import { stateAndMessagesOf } from '../uploads/upload-verdict';
import { integrationRefusal, NO_INTEGRATION } from '../uploads/usable-integration';
import { parseRowId } from '../users/guards';
import type { BegunPreview, MenuPreviewer } from './menu-previewer';
import type { PreviewedMenu, PreviewPart } from './preview-task';
import { listPreviewTargets, type PreviewTarget } from './sql/preview-targets';

export interface PreviewDeps {
  readonly sql: Sql;
  /** For stored texts that are read while a thread waits for them. */
  readonly textsForThreads: Pick<DocumentStore, 'read'>;
  readonly previewer: MenuPreviewer;
  readonly images: ImageInspector;
  readonly settings: Pick<Config, 'IMAGE_POLICY' | 'APP_D'> & TransformSettings;
}

/** A valid menu, and the options of its preview. */
export interface PreviewRequest {
  /** Unique, even among requests with the same header. */
  readonly id: string;
  readonly userId: UserId;
  readonly storeId: number;
  /** Of the store, `yyyy-MM-dd`. */
  readonly today: string;
  /** As they were sent; undefined: all that the store is connected to. */
  readonly integrationIds: readonly (string | number)[] | undefined;
  /** The four lists as JSON. */
  readonly menu: Uint8Array;
  readonly menuCount: number;
  /** JSON text of an object: what was sent beside the menu. */
  readonly sentBeside: string;
  readonly include: readonly PreviewPart[];
  readonly checkImages: boolean;
  /** Fires when the caller has left. */
  readonly signal: AbortSignal;
}

/**
 * Yields what each integration would make of a menu, in the order of the request: one JSON text in pieces for each. They
 * come one by one, because each may be many megabytes. Stores nothing but verdicts on images.
 */
export async function* previewMenu(
  deps: PreviewDeps,
  request: PreviewRequest,
): AsyncGenerator<readonly Uint8Array[]> {
  const wanted = await listWantedIntegrations(deps.sql, request);
  const images = await judgeImages(deps, request, wanted);
  const begun = await deps.previewer.begin(request.userId);
  try {
    for (const { id, target } of wanted) {
      request.signal.throwIfAborted();
      yield target
        ? await previewIn({ ...deps, begun }, request, target, images)
        : renderResult(id, null, [NO_INTEGRATION], emptyMembers(request.include));
    }
  } finally {
    begun.end();
  }
}

interface Wanted {
  readonly id: string;
  /** Undefined: there is no such integration. */
  readonly target: PreviewTarget | undefined;
}

/** Each integration of the request once; `1` and `"1"` are the same. */
async function listWantedIntegrations(
  sql: Sql,
  { storeId, integrationIds }: PreviewRequest,
): Promise<readonly Wanted[]> {
  const known = integrationIds?.flatMap((id) => parseRowId(id) ?? []) ?? null;
  const targets = await listPreviewTargets(sql, storeId, known);
  const byId = new Map(targets.map((target) => [String(target.integrationId), target]));
  const ids = integrationIds?.map((id) => String(parseRowId(id) ?? id)) ?? [...byId.keys()];
  return [...new Set(ids)].map((id) => ({ id, target: byId.get(id) }));
}

/** Images that an app checks by fetching them: only their URLs are checked unless the caller asks for more. */
interface JudgedImages {
  readonly images: readonly MenuImage[];
  readonly bad: ReadonlyMap<string, ImageVerdict>;
}

/** Undefined if no integration checks images, or if listing them takes too long (then so does the preview). */
async function judgeImages(
  { previewer, images: inspector, settings }: PreviewDeps,
  { userId, menu, checkImages, signal }: PreviewRequest,
  wanted: readonly Wanted[],
): Promise<JudgedImages | undefined> {
  const areChecked = wanted.some(({ target }) => {
    return target && checksImages(findDeliveryApp(target.app, settings));
  });
  if (!areChecked || !(checkImages || settings.IMAGE_POLICY === 'refuse')) return undefined;
  const images = await previewer.images(userId, menu);
  if (!images) return undefined;
  const urls = images.map(({ url }) => url);
  const bad = checkImages
    ? await inspector.inspect(urls, signal)
    : new Map(
        urls.filter((url) => toImageUrl(url) === null).map((url) => [url, 'not_https' as const]),
      );
  return { images, bad };
}

function checksImages(registered: Registration): boolean {
  return registered.configured && registered.app.checksImages;
}

async function previewIn(
  deps: Omit<PreviewDeps, 'previewer'> & { readonly begun: BegunPreview },
  request: PreviewRequest,
  target: PreviewTarget,
  judged: JudgedImages | undefined,
): Promise<readonly Uint8Array[]> {
  const { settings } = deps;
  const { include, menu, menuCount, sentBeside } = request;
  const registered = findDeliveryApp(target.app, settings);
  const images = checksImages(registered) ? judged : undefined;
  const previewed = await deps.begun.previewIn(menu, {
    request: request.id,
    app: target.app,
    isConfigured: registered.configured,
    store: storeFactsOf(target),
    besides: [sentBeside],
    include,
    unavailableIds: target.unavailableIds,
    today: request.today,
    live: include.includes('changes') ? await readLiveText(deps, target) : null,
    ...(images && { badImages: images.bad }),
    ...inputOfSettings(settings),
  });
  const refusal = integrationRefusal(target, settings, menuCount);
  const messages = [
    ...(refusal === undefined ? [] : [refusal]),
    ...(refusal === undefined || !previewed ? menuMessages(deps, previewed, images) : []),
  ];
  const id = String(target.integrationId);
  return renderResult(id, target.app, messages, previewed?.members ?? emptyMembers(include));
}

/** The messages that an upload of the menu would get from the steps before its push. */
function menuMessages(
  { settings }: Pick<PreviewDeps, 'settings'>,
  previewed: PreviewedMenu | undefined,
  images: JudgedImages | undefined,
): readonly string[] {
  if (!previewed) return stateAndMessagesOf({ kind: 'not_prepared' }).messages;
  const { blocking: reasons, blockCount: count } = previewed;
  if (count > 0) return stateAndMessagesOf({ kind: 'blocked', reasons, count }).messages;
  if (settings.IMAGE_POLICY !== 'refuse' || !images) return [];
  const refused = refusedImages(images.images, images.bad);
  return refused.length === 0
    ? []
    : stateAndMessagesOf({ kind: 'images_refused', reasons: refused }).messages;
}

/** Reads the live menu; null: nothing is live. */
async function readLiveText(
  { textsForThreads }: Pick<PreviewDeps, 'textsForThreads'>,
  { liveUploadId, liveDocumentSha256 }: PreviewTarget,
) {
  if (liveUploadId === null || liveDocumentSha256 === null) return null;
  const text = await textsForThreads.read(liveDocumentSha256);
  return { uploadId: liveUploadId, sha256: liveDocumentSha256, text };
}

/** The members of a result about which nothing is known. */
function emptyMembers(include: readonly PreviewPart[]): readonly Uint8Array[] {
  const parts = Object.fromEntries(include.map((part) => [part, null]));
  const members = JSON.stringify({ losses: [], counts: null, payload_bytes: null, ...parts });
  return [Buffer.from(members.slice(1, -1))];
}

function renderResult(
  integrationId: string,
  app: string | null,
  messages: readonly string[],
  members: readonly Uint8Array[],
): readonly Uint8Array[] {
  const acceptable = messages.length === 0;
  const head = JSON.stringify({ integration_id: integrationId, app, acceptable, messages });
  return [Buffer.from(`${head.slice(0, -1)},`), ...members, Buffer.from('}')];
}
