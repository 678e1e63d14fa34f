import { asciiUpper } from '../platform/text/ascii-case';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Permission } from '../users/sql/users';
import type { Answer, ObjectSchema } from '../contract/answers';
import { createValidator } from '../platform/validation/validation';
import { accepted } from './accepted';
import { requirePermission } from '../users/guards';
import type { BodyRule } from './body/request-body';
import type { RequestContext } from './state';

/** The groups of the description, in the order in which an integrator needs them. */
export const GROUPS = {
  Account: 'The user and permissions of your token.',
  Menus: 'Send a menu to a delivery app and follow its progress.',
  Rollouts: 'Upload one menu to many stores, and revert that.',
  Stores: 'Places of sale.',
  'Inventory systems': 'Stock software of third parties, and the stores that it is linked to.',
  Webhooks: 'Register the URLs that receive POS events.',
  Events: 'Register a URL for events about your stores and systems.',
  POS: 'Events from a POS, and requests to it.',
  Deliveries: 'The outcome of each delivery.',
  Service: 'For operators of the service. No token.',
  Callbacks: 'Endpoints that delivery apps call.',
} as const;
type Group = keyof typeof GROUPS;

/** Anyone may call it. */
interface PublicAccess {
  readonly kind: 'public';
}

/** A user with a bearer token. */
interface TokenAccess {
  readonly kind: 'token';
  /** The permission that the user needs too, except operators. Without it 403, after the shape of the request. */
  readonly permission: Permission | null;
  /** Whether it changes, sends or asks for something that a user has. Who only sees it gets a 403. */
  readonly acts: boolean;
  /** The answer to a deleted user: 409, or 404 where a store is created. */
  readonly deletedUser: 'user_not_active' | 'user_missing';
}

/** A delivery app that signs the body. */
export interface SignatureAccess<Deps> {
  readonly kind: 'signature';
  /** The header with the signature. */
  readonly header: string;
  /** The form of a signature; if it does not match, the body is not read. */
  readonly form: RegExp;
  readonly isSigned: (deps: Deps, request: SignedRequest) => Promise<boolean>;
}

export interface SignedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signature: string;
}

/** A parameter of a path. Throws if the path has none of that name, because the route is declared wrongly then. */
export function pathParameter(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path has no parameter ${name}`);
  return value;
}

/** A user who signed in to the console with a token; others are sent to its first page. */
interface SessionAccess {
  readonly kind: 'session';
}

export type Access<Deps> = PublicAccess | TokenAccess | SignatureAccess<Deps> | SessionAccess;

export const PUBLIC: PublicAccess = { kind: 'public' };
export const SESSION: SessionAccess = { kind: 'session' };

/** Access with a bearer token and, if named, a permission; `acts`: on what the user has, not on all that they see. */
export function token({
  permission = null,
  acts = false,
  deletedUser = 'user_not_active',
}: Partial<Omit<TokenAccess, 'kind'>> = {}): TokenAccess {
  return { kind: 'token', permission, acts, deletedUser };
}

/** The query of a request: its description and its check. */
export interface QueryRule<Value> {
  /** Null if there is nothing to describe. */
  readonly schema: ObjectSchema | null;
  /** The query if its shape is right; otherwise throws the 422. */
  readonly check: (query: unknown) => Value;
}

export const noQuery: QueryRule<undefined> = { schema: null, check: () => undefined };

export function query<const Schema extends JSONSchema & ObjectSchema, Value = FromSchema<Schema>>(
  schema: Schema,
): QueryRule<Value> {
  const validate = createValidator<Schema, Value>(schema);
  return { schema, check: (given) => accepted(validate(given)) };
}

/**
 * `asks strangers`: servers of images, name servers of URLs. `reads texts`: stored menus and payloads, also in a thread.
 * `searches`: rows that match a filter, among thousands, as pages of the console do. `fetches pictures`: for those.
 */
export type SlowKind = 'asks strangers' | 'reads texts' | 'searches' | 'fetches pictures';

/** The public contract of a route, from which its guards are made. */
export interface RouteContract<Deps = never> {
  /** Unique, because generators of clients use it. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/api/v1/menus/uploads/{upload_id}`. Compared byte for byte; parameters are decoded once. */
  readonly path: string;
  /** An example of each parameter of the path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Null: part of a page, not listed in `/openapi.json`. */
  readonly group: Group | null;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access<Deps>;
  /**
   * Why its work may take seconds, whatever the caller does. A user has few requests of each kind at work at once, and
   * takes memory for them from a share of `BODY_MEMORY`.
   */
  readonly slow?: SlowKind;
  /** `kept`: with an `Idempotency-Key` the first answer is stored and replayed. `none`: the header is ignored. */
  readonly idempotency: 'kept' | 'none';
  readonly query: QueryRule<unknown>;
  /** Headers of the route besides those that all routes accept. */
  readonly headers?: readonly 'Prefer'[];
  readonly body: BodyRule<unknown>;
  /** Every answer of the handler; those of the guards are added to the description. */
  readonly answers: readonly [Answer, ...Answer[]];
}

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

/** The checked arguments of a handler. */
export interface RouteRequest<Path extends string, Query, Body> {
  readonly ctx: RequestContext;
  readonly params: { readonly [Name in ParameterName<Path>]: string };
  readonly query: Query;
  readonly body: Body;
}

/** The second half of a handler, called by the router: it waits after the body of the request was released. */
export type AfterBody = () => Promise<void>;

interface RouteDeclaration<Deps, Path extends string, Query, Body> extends RouteContract<Deps> {
  readonly path: Path;
  readonly parameters: { readonly [Name in ParameterName<Path>]: string };
  readonly query: QueryRule<Query>;
  readonly body: BodyRule<Body>;
  /**
   * Handles the request and sets the answer. A handler that waits for an outcome returns the wait as a function that
   * holds nothing of the body; it is called after the body's memory was freed.
   */
  readonly handle: (
    deps: Deps,
    request: RouteRequest<Path, Query, Body>,
  ) => Promise<void | AfterBody> | void;
}

/** One endpoint: its contract and its handler. Only `route` makes one. */
export interface Route<Deps> extends RouteContract<Deps> {
  /** Throws the 422 of a request whose shape is wrong. */
  readonly checkShape: (ctx: RequestContext) => void;
  /** Checks shape and permission, then lets the handler do its first half. */
  readonly run: (deps: Deps, ctx: RequestContext) => Promise<AfterBody | undefined>;
}

/** Declares an endpoint. Throws at startup if parts of the declaration contradict each other. */
export function route<Deps, const Path extends string, Query, Body>(
  declaration: RouteDeclaration<Deps, Path, Query, Body>,
): Route<Deps> {
  requireConsistent(declaration);
  const { handle, ...contract } = declaration;
  const shapeOf = (ctx: RequestContext) => ({
    body: declaration.body.check(ctx.state.body),
    query: declaration.query.check(ctx.query),
  });
  return {
    ...contract,
    checkShape: shapeOf,
    async run(deps, ctx) {
      const shape = shapeOf(ctx);
      const { access } = contract;
      if (access.kind === 'token' && access.permission !== null) {
        requirePermission(ctx.state.caller, access.permission);
      }
      // The router matched this path, so these are its parameters.
      const params = ctx['params'] as RouteRequest<Path, Query, Body>['params'];
      return (await handle(deps, { ctx, params, ...shape })) ?? undefined;
    },
  };
}

function requireConsistent(contract: RouteContract): void {
  const { method, path, access, body, idempotency } = contract;
  const refuse = (why: string): never => {
    throw new Error(`the route ${asciiUpper(method)} ${path} is declared wrongly: ${why}`);
  };
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();
  if (named.join() !== Object.keys(contract.parameters).toSorted().join()) {
    refuse('the parameters are not those of its path');
  }
  if (method === 'get' && (body.kind !== 'none' || idempotency !== 'none')) {
    refuse('a GET has neither a body nor a kept answer');
  }
  if (/^\/api\//i.test(path) && access.kind !== 'token') {
    refuse('everything under /api/v1 asks for a token');
  }
  if ((access.kind === 'signature') !== (body.kind === 'signed')) {
    refuse('a signature and a signed body go together');
  }
  if ((access.kind === 'session' || body.kind === 'form') && !path.startsWith('/console')) {
    refuse('sessions and forms belong to the console');
  }
  if (contract.slow && access.kind !== 'token' && access.kind !== 'session') {
    refuse('slow work has permits for each user');
  }
  if (idempotency === 'kept' && access.kind !== 'token') {
    refuse('an answer is kept for a user');
  }
}
