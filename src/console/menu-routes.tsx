import type { Shown } from '../delivery-apps/shown';
import { pathParameter, type Route } from '../http/route';
import type { Config } from '../platform/config/config';
import type { SecretBox } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { workflowUrl } from '../platform/temporal/trace-url';
import { menuRolloutId, storeAvailabilityId } from '../platform/temporal/workflow-names';
import { consoleAction, type ConsoleDeps, consolePage } from './console-route';
import { AvailabilityPage, type UnavailableEntry } from './pages/availability';
import { type RolloutEntry, RolloutPage, RolloutsPage, type TargetEntry } from './pages/rollouts';
import type { WholeUpload } from './pages/upload';
import { type ChangesOfUpload, UploadChangesPage } from './pages/upload-changes';
import { UploadShownPage } from './pages/upload-shown';
import { createPictureLink } from './picture-links';
import { nameRows } from './sql/names';

export interface MenuPageDeps extends ConsoleDeps {
  readonly sql: Sql;
  readonly secrets: Pick<SecretBox, 'sign'>;
  readonly settings: Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;
}

const UPLOAD = { upload_id: 'upl_1' };
const ROLLOUT = { rollout_id: 'rol_1' };

/** Pages about the delivery apps: rollouts, what an upload shows and changed, what is off sale. */
export const MENU_PAGES: readonly Route<MenuPageDeps>[] = [
  consolePage({
    id: 'upload-shown',
    path: '/console/uploads/{upload_id}/shown',
    parameters: UPLOAD,
    section: 'uploads',
    summary: 'What the app shows of an upload',
    async show({ sql, secrets }: MenuPageDeps, { ask, params, frame, viewer }) {
      const upload = (await ask('getUpload', { params })).data as WholeUpload;
      const shown = (await ask('getUploadShown', { params })).data as Shown;
      const names = await nameRows(sql, viewer, [upload]);
      const pictureLink = createPictureLink(secrets);
      return (
        <UploadShownPage
          frame={frame('What the app shows')}
          {...{ upload, names, shown, pictureLink }}
        />
      );
    },
  }),
  consolePage({
    id: 'upload-changes',
    path: '/console/uploads/{upload_id}/changes',
    parameters: UPLOAD,
    section: 'uploads',
    summary: 'What an upload changed',
    async show(_deps: ConsoleDeps, { ask, params, filter, frame }) {
      const { data, next_cursor: nextCursor } = await ask('getUploadChanges', {
        params,
        query: filter,
      });
      const changes = data as ChangesOfUpload;
      const uploadId = pathParameter(params, 'upload_id');
      return (
        <UploadChangesPage
          frame={frame(filter['against'] === 'live' ? 'What it would change' : 'What it changed')}
          {...{ uploadId, changes, filter, nextCursor }}
        />
      );
    },
  }),
  consolePage({
    id: 'rollouts',
    path: '/console/rollouts',
    section: 'rollouts',
    summary: 'Rollouts',
    async show(_deps: ConsoleDeps, { ask, filter, frame }) {
      const { data, next_cursor: nextCursor } = await ask('listRollouts', { query: filter });
      const rollouts = data as RolloutEntry[];
      return <RolloutsPage frame={frame('Rollouts')} {...{ rollouts, filter, nextCursor }} />;
    },
  }),
  consolePage({
    id: 'rollout',
    path: '/console/rollouts/{rollout_id}',
    parameters: ROLLOUT,
    section: 'rollouts',
    summary: 'One rollout',
    async show({ sql, settings }: MenuPageDeps, { ask, params, filter, frame, viewer }) {
      const rollout = (await ask('getRollout', { params })).data as RolloutEntry;
      const list = await ask('listRolloutTargets', { params, query: filter });
      const targets = list.data as TargetEntry[];
      const names = await nameRows(sql, viewer, targets);
      const traceUrl = workflowUrl(menuRolloutId(rollout.rollout_id), settings);
      return (
        <RolloutPage
          frame={frame(`Rollout ${rollout.rollout_id}`)}
          {...{ rollout, targets, names, filter, traceUrl, nextCursor: list.next_cursor }}
        />
      );
    },
  }),
  ...(['cancel', 'revert'] as const).map((change) =>
    consoleAction<ConsoleDeps>({
      id: `${change}-rollout`,
      path: `/console/rollouts/{rollout_id}/${change}`,
      parameters: ROLLOUT,
      section: 'rollouts',
      summary: change === 'cancel' ? 'Cancel a rollout' : 'Take a rollout back',
      routeId: `${change}Rollout`,
      request: (params) => ({ params }),
      next: (params) => `/console/rollouts/${params['rollout_id']}`,
    }),
  ),
  consolePage({
    id: 'availability',
    path: '/console/availability',
    section: 'availability',
    summary: 'What is off sale',
    async show({ sql, settings }: MenuPageDeps, { ask, filter, frame, viewer }) {
      const { data, next_cursor: nextCursor } = await ask('listUnavailable', { query: filter });
      const items = (data as Omit<UnavailableEntry, 'traceUrl'>[]).map((item) => ({
        ...item,
        traceUrl: workflowUrl(
          storeAvailabilityId(item.store_id, Number(item.integration_id)),
          settings,
        ),
      }));
      const names = await nameRows(sql, viewer, items);
      return (
        <AvailabilityPage frame={frame('Off sale')} {...{ items, names, filter, nextCursor }} />
      );
    },
  }),
  consoleAction({
    id: 'restore-item',
    path: '/console/availability/restore',
    parameters: {},
    section: 'availability',
    summary: 'Put an item back on sale',
    routeId: 'changeAvailability',
    request: (_params, { store_id, integration_id, external_id }) => ({
      body: {
        store_id,
        integration_ids: [integration_id],
        items: [{ external_id, available: true }],
      },
    }),
    next: () => '/console/availability',
  }),
  ...(['pause', 'resume'] as const).map((change) =>
    consoleAction<ConsoleDeps>({
      id: `${change}-store`,
      path: `/console/stores/{store_id}/${change}`,
      parameters: { store_id: '1' },
      section: 'stores',
      summary: change === 'pause' ? 'Pause a store in an app' : 'Resume a store in an app',
      routeId: `${change}Store`,
      request: (params, { integration_id, reason }) => ({
        params,
        body: { integration_ids: [integration_id], ...(reason && { reason }) },
      }),
      next: (params) => `/console/stores/${params['store_id']}`,
    }),
  ),
  consoleAction({
    id: 'check-live-menu',
    path: '/console/stores/{store_id}/check',
    parameters: { store_id: '1' },
    section: 'stores',
    summary: 'Read back what is live',
    routeId: 'checkLiveMenu',
    request: ({ store_id }, { integration_id }) => ({ body: { store_id, integration_id } }),
    next: (params) => `/console/stores/${params['store_id']}`,
  }),
];
