import type { Arena } from './arena';

/** Queues a fault of an app, as its `_sandbox/faults` takes it. */
export async function failApp(
  { simulators }: Pick<Arena, 'simulators'>,
  app: string,
  fault: Readonly<Record<string, unknown>>,
): Promise<true> {
  const response = await fetch(`${simulators.appsUrl}/${app}/_sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify(fault),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return true;
}
