import type { LibraryQuery } from './library-query';

/** How a statement becomes a query of the library, and how that runs. */
export interface StatementRunner {
  /** A query of this text with the values of `$1`, `$2` and so on. `origin`: where it is written, for its errors. */
  readonly query: (text: string, values: unknown[], origin: string) => LibraryQuery;
  /** A query by the library's own template; for those with helpers. */
  readonly template: (strings: TemplateStringsArray, args: readonly unknown[]) => LibraryQuery;
  /** Makes the query, and runs it when a connection is free. */
  readonly run: (make: () => LibraryQuery) => Promise<unknown>;
}

/**
 * A statement that `await` starts, or a part of other ones. Until it starts it is no query of the library but text and
 * values, and however many parts it has, it becomes one query. Each of those is a promise with functions that V8 puts
 * among old memory, where they keep all of it until the whole heap is collected; a statement of thirty parts was thirty
 * of them (docs/decisions/0034-what-is-over-is-let-go.md).
 */
export class Statement {
  private outcome: Promise<unknown> | undefined;
  private readonly runner: StatementRunner;
  private readonly strings: TemplateStringsArray;
  private readonly args: readonly unknown[];
  private readonly template: Template;

  constructor(runner: StatementRunner, strings: TemplateStringsArray, args: readonly unknown[]) {
    this.runner = runner;
    this.strings = strings;
    this.args = args;
    this.template = templateOf(strings);
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a pending query of the library is one, too
  then(...listeners: Parameters<Promise<unknown>['then']>): Promise<unknown> {
    return this.start().then(...listeners);
  }

  catch(...listeners: Parameters<Promise<unknown>['catch']>): Promise<unknown> {
    return this.start().catch(...listeners);
  }

  finally(...listeners: Parameters<Promise<unknown>['finally']>): Promise<unknown> {
    return this.start().finally(...listeners);
  }

  private start(): Promise<unknown> {
    return (this.outcome ??= this.runner.run(() => this.toQuery()));
  }

  private toQuery(): LibraryQuery {
    const values: unknown[] = [];
    const shape: Shape = [];
    if (!this.collect(values, shape)) return this.toTemplate();
    return this.runner.query(this.textOf(shape), values, this.template.origin.stack ?? '');
  }

  /** A query whose parts are queries too. */
  private toTemplate(): LibraryQuery {
    const args = this.args.map((arg) => (arg instanceof Statement ? arg.toTemplate() : arg));
    return this.runner.template(this.strings, args);
  }

  /** Adds its values, and its shape; false if there is a helper in it. */
  private collect(values: unknown[], shape: Shape): boolean {
    shape.push(this.strings);
    for (const arg of this.args) {
      if (arg instanceof Statement) {
        if (!arg.collect(values, shape)) return false;
      } else if (isHelper(arg)) return false;
      else shape.push(values.push(arg));
    }
    return true;
  }

  /** The same text as last time, if it has the same shape again. */
  private textOf(shape: Shape): string {
    const { latest } = this.template;
    if (latest && isSame(latest.shape, shape)) return latest.text;
    const text = this.render({ values: 0 });
    this.template.latest = { shape, text };
    return text;
  }

  private render(count: { values: number }): string {
    const args = this.args.map((arg) =>
      arg instanceof Statement ? arg.render(count) : `$${(count.values += 1)}`,
    );
    return String.raw({ raw: this.strings }, ...args);
  }
}

/** What the text of a statement depends on: the templates of its parts, and between them the numbers of its values. */
type Shape = (TemplateStringsArray | number)[];

function isSame(one: Shape, other: Shape): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

const helpers = new WeakSet<object>();

/** Notes that this came from `sql(…)`: an identifier, or the columns or values of rows, which only the library writes. */
export function noteHelper<T>(helper: T): T {
  if (typeof helper === 'object' && helper !== null) helpers.add(helper);
  return helper;
}

function isHelper(arg: unknown): boolean {
  return typeof arg === 'object' && arg !== null && helpers.has(arg);
}

/** What is known of a template. */
interface Template {
  /** Where it is written. */
  readonly origin: { readonly stack?: string };
  latest: { readonly shape: Shape; readonly text: string } | undefined;
}

const templates = new WeakMap<TemplateStringsArray, Template>();

function templateOf(strings: TemplateStringsArray): Template {
  const known = templates.get(strings);
  if (known) return known;
  const origin = {};
  Error.captureStackTrace(origin, Statement);
  const template = { origin, latest: undefined };
  templates.set(strings, template);
  return template;
}
