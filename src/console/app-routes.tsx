import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import type { Route } from '../http/route';
import { parseRowId } from '../users/guards';
import { type ConsoleDeps, consolePage } from './console-route';
import { AppPage, AppsPage } from './pages/apps';
import { listApps } from './sql/apps';

interface AppPageDeps extends ConsoleDeps {
  readonly sql: Sql;
}

const PAGE_SIZE = 50;

/** Pages of the integrations that the viewer's stores are connected to. */
export const APP_PAGES: readonly Route<AppPageDeps>[] = [
  consolePage({
    id: 'apps',
    path: '/console/apps',
    section: 'apps',
    summary: 'Integrations with delivery apps',
    async show({ sql }: AppPageDeps, { filter, frame, viewer }) {
      const before = parseRowId(filter['cursor'] ?? '');
      const limit = PAGE_SIZE + 1;
      const found = await listApps(sql, viewer, {
        ...(before === undefined ? {} : { before }),
        limit,
      });
      const apps = found.slice(0, PAGE_SIZE);
      const nextCursor = found.length < limit ? null : String(apps.at(-1)?.integrationId);
      return <AppsPage frame={frame('Apps')} {...{ apps, nextCursor }} />;
    },
  }),
  consolePage({
    id: 'app',
    path: '/console/apps/{integration_id}',
    parameters: { integration_id: '1' },
    section: 'apps',
    summary: 'One integration with a delivery app',
    async show({ sql }: AppPageDeps, { params, frame, viewer }) {
      const integrationId = parseRowId(params['integration_id'] ?? '');
      const [app] =
        integrationId === undefined ? [] : await listApps(sql, viewer, { integrationId, limit: 1 });
      if (!app) throw new AppError('not_found', 'The integration was not found.');
      return <AppPage frame={frame(app.name)} app={app} />;
    },
  }),
];
