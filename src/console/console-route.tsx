import type { ComponentChildren } from 'preact';
import { AppError } from '../platform/errors';
import { formBody, menuFormBody, noBody } from '../http/body/request-body';
import type { MultipartForm } from '../http/body/multipart';
import { noteRefusal } from '../http/middleware/errors';
import { UNCHANGED } from '../http/static-answer';
import { noQuery, pathParameter, type QueryRule, route, type Route, SESSION } from '../http/route';
import type { RequestContext } from '../http/state';
import { isOperator, seesMore, viewerOf } from '../users/guards';
import type { Viewer } from '../users/sql/users';
import type { ApiAnswer, ApiRequest, CallApi, CallApiForCsv } from './call-api';
import { answerLivePage, answerPage, type PageFrame, pathOf, type Section } from './page';
import { ProblemPage } from './pages/problem';
import { mayActOf, sessionOf } from './require-session';
import { typedMoment } from './typed-moment';

export interface ConsoleDeps {
  readonly callApi: CallApi;
  readonly callApiForCsv: CallApiForCsv;
}

/** A request of a page, with what its declaration needs to answer it. */
export interface PageRequest {
  readonly ctx: RequestContext;
  readonly viewer: Viewer;
  readonly params: Readonly<Record<string, string>>;
  /** The query's fields that the API knows, without the empty ones that forms send. */
  readonly filter: Readonly<Record<string, string>>;
  /** Calls the API as the signed-in user. */
  readonly ask: (routeId: string, request?: ApiRequest) => Promise<ApiAnswer['body']>;
  readonly frame: (title: string) => PageFrame;
}

interface PageContract {
  readonly id: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly section: Section;
  readonly summary: string;
}

interface PageDeclaration<Deps> extends PageContract {
  /** It answers a question of that moment, and does not refresh itself. */
  readonly stays?: true;
  readonly show: (deps: Deps, request: PageRequest) => Promise<ComponentChildren | OtherPage>;
}

/** The page that is meant, where a page leads to another instead of showing anything. */
export class OtherPage {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

function sendTo(ctx: RequestContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
}

/** The fields of a filter that are times. */
const MOMENTS = new Set(['since', 'until']);

/** Accepts any query: the API ignores unknown fields and reports wrong ones. */
export const anyQuery: QueryRule<Readonly<Record<string, string>>> = {
  schema: null,
  check: (query) =>
    Object.fromEntries(
      Object.entries(query as Record<string, string | string[]>).flatMap(([name, value]) =>
        typeof value === 'string' && value !== ''
          ? [[name, MOMENTS.has(name) ? typedMoment(value) : value]]
          : [],
      ),
    ),
};

/** The query for lists that a page shows whole: the API answers no longer page. */
export const LARGEST_PAGE = { limit: '100' } as const;

/** What all routes of signed-in users have in common. */
export const COMMON = { group: null, access: SESSION, idempotency: 'none' } as const;
const SENT_AWAY = { status: 303, schema: { type: 'string' }, examples: { empty: '' } } as const;
export const PAGE = {
  status: 200,
  mediaType: 'text/html',
  schema: { type: 'string' },
  examples: { page: '<!doctype html>' },
} as const;

/** Declares a page for signed-in users. A refusal of the API becomes a page with its messages. */
export function consolePage<Deps extends ConsoleDeps>(page: PageDeclaration<Deps>): Route<Deps> {
  return route({
    ...pageContract(page),
    method: 'get',
    query: anyQuery,
    body: noBody,
    handle(deps: Deps, { ctx, params, query: filter }) {
      const request = pageRequest(deps, page.section, { ctx, params, filter });
      return showPage(request, async () => {
        const shown = await page.show(deps, request);
        if (shown instanceof OtherPage) sendTo(ctx, shown.path);
        else if (page.stays) answerPage(ctx, shown);
        else answerLivePage(ctx, shown);
      });
    },
  });
}

/** A page, and the status that it is answered with. */
type PageWithStatus = readonly [page: ComponentChildren, status: number];

interface FormPageDeclaration<Deps> extends PageContract {
  readonly show: (deps: Deps, request: PageRequest, form: MultipartForm) => Promise<PageWithStatus>;
}

/** Declares a page that answers a form with a menu by a preview. It changes nothing. */
export function consoleFormPage<Deps extends ConsoleDeps>(
  page: FormPageDeclaration<Deps>,
): Route<Deps> {
  return route({
    ...pageContract(page),
    method: 'post',
    query: noQuery,
    body: menuFormBody,
    slow: 'asks strangers',
    handle(deps: Deps, { ctx, params, body }) {
      const request = pageRequest(deps, page.section, { ctx, params, filter: {} });
      return showPage(request, async () =>
        answerPage(ctx, ...(await page.show(deps, request, body))),
      );
    },
  });
}

interface CsvDeclaration extends PageContract {
  /** The API route that lists. */
  readonly routeId: string;
  /** What of the query the list takes; all of it where none is given. */
  readonly fit?: (filter: PageRequest['filter']) => PageRequest['filter'];
}

/** Declares a list as a file in CSV, for the same filter as its page: the API's own lines. */
export function consoleCsv<Deps extends ConsoleDeps>(csv: CsvDeclaration): Route<Deps> {
  const { routeId, fit = (filter) => filter, ...page } = csv;
  return route({
    ...pageContract(page),
    answers: [
      { status: 200, mediaType: 'text/csv', schema: { type: 'string' }, examples: { lines: 'id' } },
      SENT_AWAY,
    ],
    method: 'get',
    query: anyQuery,
    body: noBody,
    handle(deps: Deps, { ctx, params, query }) {
      const request = pageRequest(deps, page.section, { ctx, params, filter: query });
      return showPage(request, async () => {
        const { lines, link } = await deps.callApiForCsv(ctx, routeId, {
          params,
          query: fit(query),
        });
        ctx.status = 200;
        ctx.set({
          'Content-Disposition': `attachment; filename="${page.id}"`,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
          ...(link !== undefined && { Link: link }),
        });
        ctx.type = 'text/csv; charset=utf-8';
        ctx.body = lines;
      });
    },
  });
}

/** The part of a route's contract that all pages share. */
function pageContract({ id, path, parameters = {}, summary }: PageContract) {
  const answers = [PAGE, UNCHANGED, SENT_AWAY] as const;
  return { ...COMMON, id: `console/${id}`, path, parameters, summary, answers } as const;
}

function pageRequest(
  { callApi }: ConsoleDeps,
  section: Section,
  given: Pick<PageRequest, 'ctx' | 'params' | 'filter'>,
): PageRequest {
  return {
    ...given,
    viewer: viewerOf(given.ctx.state.caller),
    ask: async (routeId, request) => (await callApi(given.ctx, routeId, request)).body,
    frame: (title) => frameOf(given.ctx, section, title),
  };
}

function showPage({ ctx, frame }: PageRequest, answer: () => Promise<void>): Promise<void> {
  const problem = frame('Not possible');
  return orProblem(ctx, problem, pathOf(problem.section), answer);
}

export function frameOf(ctx: RequestContext, section: Section, title: string): PageFrame {
  const { caller } = ctx.state;
  const { formToken } = sessionOf(ctx);
  const mayAct = mayActOf(ctx);
  return {
    title,
    section,
    formToken,
    formTokenFor: (thing) => (mayAct(thing) ? formToken : null),
    role: isOperator(caller) ? 'operator' : seesMore(caller) ? 'support' : null,
  };
}

interface ActionDeclaration {
  readonly id: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly section: Section;
  readonly summary: string;
  /** The API route that it calls. */
  readonly routeId: string;
  readonly request: (
    params: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, string>>,
  ) => ApiRequest;
  /** The page to go back to if it was refused; the one above `path` where none is given. */
  readonly back?: string;
  /** The page to show afterwards. */
  readonly next: (
    params: Readonly<Record<string, string>>,
    answer: ApiAnswer,
    fields: Readonly<Record<string, string>>,
  ) => string;
}

/** Declares a form's action, which calls the API and then redirects the browser to `next`. */
export function consoleAction<Deps extends ConsoleDeps>({
  id,
  path,
  parameters,
  section,
  summary,
  routeId,
  request,
  back: backTo = path.slice(0, path.lastIndexOf('/')),
  next,
}: ActionDeclaration): Route<Deps> {
  return route({
    ...COMMON,
    id: `console/${id}`,
    method: 'post',
    path,
    parameters,
    summary,
    query: noQuery,
    body: formBody,
    answers: [SENT_AWAY],
    async handle(deps: Deps, { ctx, params, body }) {
      const back = backTo.replace(/\{(\w+)\}/g, (_all, name) =>
        encodeURIComponent(pathParameter(params, name)),
      );
      await orProblem(ctx, frameOf(ctx, section, 'Not done'), back, async () => {
        const fields = Object.fromEntries(body);
        const answer = await deps.callApi(ctx, routeId, request(params, fields));
        ctx.status = 303;
        ctx.set('Location', next(params, answer, fields));
      });
    },
  });
}

/** Does `work`; an error of the API becomes a page with its sentences. */
export async function orProblem(
  ctx: RequestContext,
  frame: PageFrame,
  back: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    noteRefusal(ctx, error);
    const sentences = sentencesOf(error);
    answerPage(ctx, <ProblemPage frame={frame} sentences={sentences} back={back} />, error.status);
  }
}

/** The API's sentences about an error; those of its fields, if it names any. */
export function sentencesOf({ options, sentences }: AppError): readonly string[] {
  return options.fields ? Object.values(options.fields).flat().map(String) : sentences;
}
