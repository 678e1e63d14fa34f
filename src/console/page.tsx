import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RequestContext } from '../http/state';
import type { ActedOn } from './own-things';
import { When } from './parts';

/** Shown on every page of a signed-in user. */
export interface PageFrame {
  readonly title: string;
  /** The highlighted entry of the menu. */
  readonly section: Section;
  readonly formToken: string;
  /** The token for an action on this thing; null = the API would refuse it, because the user only sees the thing. */
  readonly formTokenFor: (thing: ActedOn) => string | null;
  readonly role: 'operator' | 'support' | null;
}

const SECTIONS = {
  overview: ['/console', 'Overview'],
  uploads: ['/console/uploads', 'Uploads'],
  rollouts: ['/console/rollouts', 'Rollouts'],
  availability: ['/console/availability', 'Off sale'],
  deliveries: ['/console/deliveries', 'Deliveries'],
  webhooks: ['/console/webhooks', 'Webhooks'],
  stores: ['/console/stores', 'Stores'],
  apps: ['/console/apps', 'Apps'],
  users: ['/console/users', 'Users'],
} as const;
export type Section = keyof typeof SECTIONS;

/**
 * One script of our own (`console.js`), which asks only this server. Nothing is stored: after signing out, a shared
 * browser has none of it. The script keeps the `ETag` itself.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** The sections of a user: the users are for who sees everything. */
function sectionsOf({ role }: PageFrame) {
  return Object.entries(SECTIONS).filter(([section]) => section !== 'users' || role !== null);
}

/** The first page of a section. */
export function pathOf(section: Section): string {
  return SECTIONS[section][0];
}

export function answerPage(ctx: RequestContext, page: ComponentChildren, status = 200): void {
  answerHtml(ctx, renderToString(<>{page}</>), status);
}

/**
 * Answers with a page that refreshes itself, or with 304 to who has it. Its footer has its `ETag`, a hash of all else:
 * when the page was made does not change it.
 */
export function answerLivePage(ctx: RequestContext, page: ComponentChildren): void {
  const html = renderToString(<>{page}</>);
  const footerAt = html.lastIndexOf('<footer');
  const shown = html.slice(0, footerAt);
  const etag = createHash('sha256').update(shown).digest('base64url').slice(0, 22);
  ctx.set('ETag', `"${etag}"`);
  if (namesTag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304;
    ctx.set(HEADERS);
    return;
  }
  answerHtml(
    ctx,
    `${shown}${html.slice(footerAt).replace('<footer', `<footer data-etag="${etag}"`)}`,
    200,
  );
}

/**
 * Whether `If-None-Match` names the tag, be it weak, which a proxy that compresses makes it. Koa's `fresh` says no where
 * the browser also sends `Cache-Control: no-cache`, as some do with every conditional request of a script.
 */
function namesTag(given: string, etag: string): boolean {
  return given.split(',').some((each) => each.trim().replace(/^W\//, '') === `"${etag}"`);
}

function answerHtml(ctx: RequestContext, html: string, status: number): void {
  ctx.status = status;
  ctx.set(HEADERS);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = `<!doctype html>${html}`;
}

export function Page({
  frame,
  children,
}: {
  readonly frame: PageFrame;
  readonly children: ComponentChildren;
}) {
  return (
    <Document title={frame.title}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <nav aria-label="Sections">
          {sectionsOf(frame).map(([section, [path, name]]) => (
            <a
              key={section}
              href={path}
              aria-current={section === frame.section ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <search>
          <form method="get" action="/console/find" class="find">
            <input
              name="q"
              aria-label="A name or an id"
              placeholder="Store, system, item, any id"
              maxLength={255}
              required
            />
            <button type="submit">Find</button>
          </form>
        </search>
        <form method="post" action="/console/sign-out">
          <input type="hidden" name="form_token" value={frame.formToken} />
          {frame.role && <span class="role">{frame.role}</span>}
          <button type="submit">Sign out</button>
        </form>
      </header>
      <p id="notice" role="status" />
      <main id="content">
        <h1>{frame.title}</h1>
        {frame.role === 'support' && (
          <p class="quiet">
            You see everything and act on what is yours. A button that is named here and not shown
            is for its owner or an operator.
          </p>
        )}
        {children}
      </main>
      <footer>
        <span data-zone="">Times are UTC.</span> Made at <When at={new Date()} />.
      </footer>
      <script src="/console/console.js" defer />
    </Document>
  );
}

export function Document({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · POS integrations`}</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/style.css" />
      </head>
      <body>{children}</body>
    </html>
  );
}
