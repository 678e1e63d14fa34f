import { AppError } from '../platform/errors';
import type { SecretBox } from '../platform/crypto/secrets';
import { serviceBusy } from '../platform/admission/service-busy';
import type { MultipartForm } from '../http/body/multipart';
import { SMALL_BODY } from '../http/body/request-body';
import { noteRefusal } from '../http/middleware/errors';
import type { Route } from '../http/route';
import {
  type ConsoleDeps,
  consoleFormPage,
  consolePage,
  LARGEST_PAGE,
  type PageRequest,
} from './console-route';
import { createPictureLink } from './picture-links';
import { groupProblems, type ProblemGroup } from './problem-groups';
import { type PreviewForm, PreviewPage, type PreviewResult } from './pages/preview';
import type { StoreEntry, StoreIntegration } from './pages/stores';

export interface PreviewPageDeps extends ConsoleDeps {
  readonly secrets: Pick<SecretBox, 'sign'>;
}

const COMMON = {
  path: '/console/stores/{store_id}/preview',
  parameters: { store_id: '1' },
  section: 'stores',
} as const;
const TITLE = 'Preview of a menu';

/** Pages that show a menu as the apps would, without sending it. */
export const PREVIEW_PAGES: readonly Route<PreviewPageDeps>[] = [
  consolePage({
    ...COMMON,
    id: 'preview-form',
    summary: 'A menu to preview',
    async show({ secrets }: PreviewPageDeps, request) {
      const found = await findStore(request);
      const connected = found.integrations.filter((each) => each.has_token);
      const form = { chosen: connected.map((each) => each.integration_id), text: '' };
      return (
        <PreviewPage
          frame={request.frame(TITLE)}
          {...found}
          form={form}
          problems={[]}
          results={null}
          pictureLink={createPictureLink(secrets)}
        />
      );
    },
  }),
  consoleFormPage({
    ...COMMON,
    id: 'preview',
    summary: 'What apps would show of a menu',
    async show({ secrets }: PreviewPageDeps, request, sent) {
      const found = await findStore(request);
      const { results, problems, status } = await preview(request, sent);
      const page = (
        <PreviewPage
          frame={request.frame(TITLE)}
          {...found}
          form={formOf(sent)}
          {...{ results, problems }}
          pictureLink={createPictureLink(secrets)}
        />
      );
      return [page, status];
    },
  }),
];

async function findStore({ ask, params }: PageRequest) {
  const store = (await ask('getStore', { params })).data as StoreEntry;
  const list = await ask('listStoreIntegrations', { params, query: LARGEST_PAGE });
  return { store, integrations: list.data as StoreIntegration[] };
}

interface Previewed {
  readonly results: readonly PreviewResult[] | null;
  readonly problems: readonly ProblemGroup[];
  readonly status: number;
}

async function preview(request: PageRequest, sent: MultipartForm): Promise<Previewed> {
  try {
    const body = previewBody(request, sent);
    const { data } = await request.ask('previewMenu', { query: { include: 'shown' }, body });
    const { results } = data as { readonly results: readonly PreviewResult[] };
    return { results, problems: [], status: 200 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    noteRefusal(request.ctx, error);
    return { results: null, problems: groupProblems(error), status: error.status };
  }
}

/** The body of a preview: the menu of the form, for the store of the page and the integrations chosen on it. */
function previewBody({ ctx, params }: PageRequest, sent: MultipartForm): Buffer {
  const menu = menuOf(sent);
  const chosen = sent.getAll('integration_ids');
  const members = {
    store_id: params['store_id'],
    ...(chosen.length > 0 && { integration_ids: chosen }),
  };
  // The form keeps its own memory meanwhile.
  const memory = ctx.state.bodyMemory;
  if (memory && !memory.resize(sent.size + menu.length)) throw serviceBusy();
  return withMembers(menu, members);
}

/** The file of the form; without one, the pasted text. */
function menuOf(sent: MultipartForm): Buffer {
  const file = sent.bytes('file');
  return file && file.length > 0 ? file : (sent.bytes('menu') ?? Buffer.alloc(0));
}

/**
 * Appends `members` to a JSON object; they count instead of its own of the same name. The object is not parsed, because
 * a large one is read in a thread. Anything else is left as it is, for the reader to refuse.
 */
export function withMembers(json: Buffer, members: object): Buffer {
  const end = lastByteOfText(json, json.length);
  if (json[end] !== CLOSING) return json;
  const isEmpty = json[lastByteOfText(json, end)] === OPENING;
  const added = `${isEmpty ? '' : ','}${JSON.stringify(members).slice(1)}`;
  return Buffer.concat([json.subarray(0, end), Buffer.from(added)]);
}

const OPENING = 0x7b;
const CLOSING = 0x7d;
/** The white space of JSON (RFC 8259 §2). */
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The index of the last byte before `before` that is not white space; -1 if there is none. */
function lastByteOfText(json: Buffer, before: number): number {
  let at = before - 1;
  while (at >= 0 && WHITE_SPACE.has(json[at] ?? 0)) at -= 1;
  return at;
}

/** The form as it was filled in, so that a person can mend it. A large text is left out: it would be sent back whole. */
function formOf(sent: MultipartForm): PreviewForm {
  const pasted = sent.bytes('menu');
  const text = pasted && pasted.length <= SMALL_BODY ? pasted.toString('utf8') : '';
  return { chosen: sent.getAll('integration_ids'), text };
}
