import type { ComponentChildren } from 'preact';
import { AppError } from '../platform/errors';
import { formBody, menuFormBody, noBody } from '../http/request-body';
import type { MultipartForm } from '../http/multipart';
import { noQuery, type QueryRule, route, type Route, SESSION } from '../http/route';
import type { RequestContext } from '../http/state';
import { isOperator } from '../users/guards';
import type { ApiAnswer, ApiRequest, CallApi } from './call-api';
import { answerPage, type PageFrame, type Section } from './page';
import { ProblemPage } from './pages/problem';
import { sessionOf } from './require-session';

export interface ConsoleDeps {
  readonly callApi: CallApi;
}

/** What a page is made with. */
export interface PageRequest {
  readonly ctx: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  /** The query's fields that the API knows, without the empty ones that forms send. */
  readonly filter: Readonly<Record<string, string>>;
  /** Calls the API as the signed-in user. */
  readonly ask: (routeId: string, request?: ApiRequest) => Promise<ApiAnswer['body']>;
  readonly frame: (title: string) => PageFrame;
}

interface PageDeclaration<Deps> {
  readonly id: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly section: Section;
  readonly summary: string;
  readonly show: (deps: Deps, request: PageRequest) => Promise<ComponentChildren>;
}

/** Accepts any query: the API ignores unknown fields and reports wrong ones. */
const anyQuery: QueryRule<Readonly<Record<string, string>>> = {
  schema: null,
  accept: (query) =>
    Object.fromEntries(
      Object.entries(query as Record<string, string | string[]>).flatMap(([name, value]) =>
        typeof value === 'string' && value !== '' ? [[name, value]] : [],
      ),
    ),
};

const COMMON = { group: null, access: SESSION, idempotency: 'none' } as const;
const SENT_AWAY = { status: 303, schema: { type: 'string' }, examples: { empty: '' } } as const;
const PAGE = {
  status: 200,
  mediaType: 'text/html',
  schema: { type: 'string' },
  examples: { page: '<!doctype html>' },
} as const;

/** Declares a page for signed-in users. A refusal of the API becomes a page with its messages. */
export function consolePage<Deps extends ConsoleDeps>({
  id,
  path,
  parameters = {},
  section,
  summary,
  show,
}: PageDeclaration<Deps>): Route<Deps> {
  return route({
    ...COMMON,
    id: `console/${id}`,
    method: 'get',
    path,
    parameters,
    summary,
    query: anyQuery,
    body: noBody,
    answers: [PAGE, SENT_AWAY],
    async handle(deps: Deps, { ctx, params, query: filter }) {
      const request = pageRequest(deps, { ctx, section, params, filter });
      await orProblem(ctx, request.frame('Not possible'), '/console', async () =>
        answerPage(ctx, await show(deps, request)),
      );
    },
  });
}

interface FormPageDeclaration<Deps> extends Omit<PageDeclaration<Deps>, 'show'> {
  /** The page, and the status that it is answered with. */
  readonly show: (
    request: PageRequest,
    form: MultipartForm,
  ) => Promise<readonly [page: ComponentChildren, status: number]>;
}

/** Declares a page that is made from a form with a file; what it sends is read and nothing is changed by it. */
export function consoleFormPage<Deps extends ConsoleDeps>({
  id,
  path,
  parameters = {},
  section,
  summary,
  show,
}: FormPageDeclaration<Deps>): Route<Deps> {
  return route({
    ...COMMON,
    id: `console/${id}`,
    method: 'post',
    path,
    parameters,
    summary,
    query: noQuery,
    body: menuFormBody,
    answers: [PAGE, SENT_AWAY],
    async handle(deps: Deps, { ctx, params, body }) {
      const request = pageRequest(deps, { ctx, section, params, filter: {} });
      await orProblem(ctx, request.frame('Not possible'), '/console', async () =>
        answerPage(ctx, ...(await show(request, body))),
      );
    },
  });
}

function pageRequest(
  { callApi }: ConsoleDeps,
  { ctx, section, ...given }: Pick<PageRequest, 'ctx' | 'params' | 'filter'> & { section: Section },
): PageRequest {
  return {
    ...given,
    ctx,
    ask: async (routeId, request) => (await callApi(ctx, routeId, request)).body,
    frame: (title) => ({
      title,
      section,
      formToken: sessionOf(ctx).formToken,
      isOperator: isOperator(ctx.state.caller),
    }),
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
  /** The page to show afterwards. */
  readonly next: (params: Readonly<Record<string, string>>, answer: ApiAnswer) => string;
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
      const frame = {
        title: 'Not done',
        section,
        formToken: sessionOf(ctx).formToken,
        isOperator: isOperator(ctx.state.caller),
      };
      const back = path
        .slice(0, path.lastIndexOf('/'))
        .replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(params[name as never] ?? ''));
      await orProblem(ctx, frame, back, async () => {
        const answer = await deps.callApi(ctx, routeId, request(params, Object.fromEntries(body)));
        ctx.status = 303;
        ctx.set('Location', next(params, answer));
      });
    },
  });
}

async function orProblem(
  ctx: RequestContext,
  frame: PageFrame,
  back: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const sentences = sentencesOf(error);
    answerPage(ctx, <ProblemPage frame={frame} sentences={sentences} back={back} />, error.status);
  }
}

/** What the API says of an error, field by field where it names any. */
export function sentencesOf({ options, sentences }: AppError): readonly string[] {
  return options.fields ? Object.values(options.fields).flat().map(String) : sentences;
}
