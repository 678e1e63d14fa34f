import { claimAvailability } from '../../src/availability/sql/claims';
import {
  insertItemChange,
  insertStoreChange,
  lockQueue,
  type NewItemChange,
} from '../../src/availability/sql/changes';
import type { AppName } from '../../src/delivery-apps/types';
import { newId } from '../../src/platform/ids';
import type { Sql } from '../../src/platform/db/client';
import type { UploadRows } from './upload-rows';

const DAY_MS = 24 * 3_600_000;

/** Rules of a claim of a deployment with these apps. */
export function rulesOf(...apps: readonly AppName[]) {
  const none = new Set<AppName>();
  return {
    toldAgain: new Set(apps),
    daysHaveNoYear: none,
    enabled: new Set(apps),
    giveUpAfterMs: DAY_MS,
  };
}

/** The queue of an integration with App B, whose steps a test makes itself. */
export function queueOf(sql: Sql, { key }: UploadRows) {
  const { storeId, integrationId } = key;
  /** What a change has in common with every other of a caller. */
  const ofCaller = () => ({
    changeId: newId('avc'),
    changeRequestId: newId('avr'),
    storeId,
    integrationId,
    namedIntegration: String(integrationId),
    cause: 'api' as const,
    userId: null,
    requestId: 'request',
    waitMs: 0,
  });
  return {
    claim: (enabled: readonly AppName[] = ['app-b']) =>
      claimAvailability(sql, key, { ...rulesOf(...enabled), toldAgain: new Set() }),
    /** Configures the integration and the store, so that its app can be called. */
    async connect(): Promise<void> {
      await sql`
        update integration set base_url = 'https://app.example', client_id = 'client',
          client_secret_encrypted = 'secret' where integration_id = ${integrationId}::bigint`;
      await sql`
        update store_integration set credential_encrypted = 'secret'
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
    },
    async activate(active: boolean): Promise<void> {
      await sql`
        update integration set active = ${active} where integration_id = ${integrationId}::bigint`;
    },
    /** Writes a change about items that come back; returns its id, and whether its workflow had the lease. */
    async write(
      externalIds: readonly string[],
      more: Partial<Pick<NewItemChange, 'cause' | 'delayMs'>> = {},
    ): Promise<{ readonly changeId: string; readonly leased: boolean }> {
      const change = ofCaller();
      const items = externalIds.map((externalId) => ({
        externalId,
        available: true,
        until: null,
        state: 'waiting' as const,
        message: null,
      }));
      const leased = await sql.begin(async (tx) => {
        const wasLeased = await lockQueue(tx, key);
        await insertItemChange(tx, { ...change, items, ...more });
        return wasLeased;
      });
      return { changeId: change.changeId, leased };
    },
    /** Writes the end of a pause; returns the id of the change. */
    async resume(): Promise<string> {
      const change = ofCaller();
      await sql.begin(async (tx) => {
        await lockQueue(tx, key);
        await insertStoreChange(tx, { ...change, kind: 'pause', paused: false });
      });
      return change.changeId;
    },
  };
}
