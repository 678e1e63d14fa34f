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

/** Scripts are forbidden altogether, because the pages have none. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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
  ctx.status = status;
  ctx.set(HEADERS);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = `<!doctype html>${renderToString(<>{page}</>)}`;
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
            <input name="id" aria-label="Id" placeholder="upl_…, dlv_… or rol_…" required />
            <button type="submit">Find</button>
          </form>
        </search>
        <form method="post" action="/console/sign-out">
          <input type="hidden" name="form_token" value={frame.formToken} />
          {frame.role && <span class="role">{frame.role}</span>}
          <button type="submit">Sign out</button>
        </form>
      </header>
      <main id="content">
        <h1>{frame.title}</h1>
        {children}
        <footer>
          Times are UTC. Made at <When at={new Date()} />; reload for newer.
        </footer>
      </main>
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
