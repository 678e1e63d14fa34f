import type { Middleware } from 'koa';
import type { JsonSchema, Success } from '../../contract/answers';
import type { BoundShares } from '../../platform/admission/permits';
import { withinBudget } from '../admission/answer-budget';
import { answerShared } from '../answer-pieces';
import { linkToNext } from '../paging';
import type { Route, RouteContract } from '../route';
import type { RequestContext, RequestState } from '../state';
import { wantsRather } from '../wanted-form';
import { callerGone } from '../when-closed';
import { type Column, columnsOf } from './columns';
import { BYTE_ORDER_MARK, writeHeader, writeRows } from './write-csv';

/*
 * Every list answers `Accept: text/csv` too: the same entries as lines. Whether a route is a list, and with which
 * columns, is told by the schema of its answer; its pages are read by its own handler.
 */

/** Most rows of an answer; the next ones are behind its `Link`. */
const MOST_ROWS = 10_000;
/** Pages are read for so long, ms: of a filter that few match most are empty. */
const READ_FOR_MS = 20_000;
const PAGE_SIZE = 100;

/** What a list's handler answers. */
interface ListPage {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** The schema of an entry, if this is the answer of a list; `pageAnswer` makes these. */
function listEntry(answer: JsonSchema): JsonSchema | undefined {
  const { data, next_cursor: cursor } = (answer['properties'] ?? {}) as Readonly<
    Record<string, JsonSchema>
  >;
  return cursor === undefined ? undefined : (data?.['items'] as JsonSchema | undefined);
}

/** The schema of an entry, if the route is a list. */
export function entryOfList({ answers }: RouteContract): JsonSchema | undefined {
  const [first] = answers;
  return 'schema' in first ? listEntry(first.schema) : undefined;
}

/** The answer in CSV, as the description has it; none for a route that is no list. */
export function csvAnswers(contract: RouteContract): readonly Success[] {
  const entry = entryOfList(contract);
  const [first] = contract.answers;
  if (entry === undefined || !('examples' in first)) return [];
  const columns = columnsOf(entry);
  const [example] = Object.values(first.examples) as readonly ListPage[];
  return [
    {
      status: 200,
      when: 'With `Accept: text/csv` up to 10,000 entries, whatever `limit` is, from `cursor` on: UTF-8 with a byte order mark, a column for each member.',
      mediaType: 'text/csv',
      schema: { type: 'string' },
      examples: { rows: writeHeader(columns) + writeRows(columns, example?.data ?? []) },
      headers: ['Link'],
    },
  ];
}

function wantsCsv(ctx: Pick<RequestContext, 'accepts'>): boolean {
  return wantsRather(ctx, 'text/csv');
}

/** The guard for requests of CSV, which read many pages. */
export function forCsv(guard: Middleware<RequestState>): Middleware<RequestState> {
  return (ctx, next) => (wantsCsv(ctx) ? guard(ctx, next) : next());
}

/** The route, which answers in CSV too if it is a list. The lines of an answer take memory from the budget. */
export function withCsv<Deps>(list: Route<Deps>, budget: BoundShares): Route<Deps> {
  const entry = entryOfList(list);
  if (entry === undefined) return list;
  const columns = columnsOf(entry);
  return {
    ...list,
    async run(deps, ctx) {
      ctx.vary('Accept');
      if (!wantsCsv(ctx)) return list.run(deps, ctx);
      list.checkShape(ctx);
      const { lines, next } = await withinBudget(ctx, {
        budget,
        make: (hold) => readLines(columns, hold, (query) => readPage(list, deps, ctx, query)),
        sizeOf: (made) => made.bytes,
      });
      linkToNext(ctx, next);
      answerShared(ctx, 'text/csv', lines);
      return undefined;
    },
  };
}

type PageQuery = Readonly<Record<'limit' | 'cursor', string | undefined>>;

/** The lines of all pages up to the bounds; `next`: the cursor behind them, null at the end. */
async function readLines(
  columns: readonly Column[],
  hold: (bytes: number) => void,
  read: (query: Partial<PageQuery>) => Promise<ListPage>,
) {
  const lines = [Buffer.from(BYTE_ORDER_MARK + writeHeader(columns))];
  const until = performance.now() + READ_FOR_MS;
  let bytes = 0;
  let rows = 0;
  let next: string | null | undefined;
  do {
    const limit = String(Math.min(PAGE_SIZE, MOST_ROWS - rows));
    const page = await read({ limit, ...(next && { cursor: next }) });
    const part = Buffer.from(writeRows(columns, page.data));
    lines.push(part);
    bytes += part.length;
    hold(bytes);
    rows += page.data.length;
    next = page.next_cursor;
  } while (next !== null && rows < MOST_ROWS && performance.now() < until);
  return { lines, bytes, next };
}

/** Has the list's handler answer a page of the request, with another page size and cursor. */
async function readPage<Deps>(
  list: Route<Deps>,
  deps: Deps,
  ctx: RequestContext,
  query: Partial<PageQuery>,
): Promise<ListPage> {
  if (ctx.res.closed) throw callerGone();
  // The answer is set on the page: it is no answer of the request.
  const page = Object.create(ctx, {
    query: { value: { ...ctx.query, ...query } },
    body: { value: undefined, writable: true },
  }) as RequestContext;
  await list.run(deps, page);
  return page.body as ListPage;
}
