import { recordAnswer } from '../api-contract/record-answer';
import type { System } from './system';
import { until } from './until';

/** `waiting_for` as answers show it. */
export interface WaitingFor {
  readonly reason: string;
  readonly message: string;
  readonly since: string;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
}

/** What has `waiting_for` in its answer. */
export interface Waiting {
  readonly state: string;
  readonly messages: readonly string[];
  readonly waiting_for: WaitingFor | null;
}

/** The data of a GET. */
export async function read<T>(system: System, path: string): Promise<T> {
  const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
    headers: { authorization: `Bearer ${system.token}` },
  });
  const { status, url, headers } = response;
  const text = await response.text();
  recordAnswer({ method: 'GET', url, status, headers, text });
  return (JSON.parse(text) as { data: T }).data;
}

/** Waits until the answer says that it waits for this reason. */
export async function untilItWaits<T extends { readonly waiting_for: WaitingFor | null }>(
  find: () => Promise<T>,
  reason: string,
): Promise<WaitingFor> {
  let found: WaitingFor | null = null;
  await until(async () => {
    found = (await find()).waiting_for;
    return found !== null && found.reason === reason;
  });
  return found as unknown as WaitingFor;
}
