import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { OnProgress } from '../processes/progress';
import { buildTemporal, builtTemporalPath } from './temporal-build';
import { downloadedTemporalPath, downloadTemporal } from './temporal-download';

/**
 * The path of a Temporal CLI, whose `server start-dev` is the server of `npm start` and of the tests. In this order,
 * cheapest first: `TEMPORAL_CLI_PATH`, `temporal` on PATH, what an earlier start built or downloaded, the download
 * that the Temporal SDK itself uses, a build with Go (about four minutes, once; for machines without that download).
 */
export async function findTemporalBinary(onProgress: OnProgress): Promise<string> {
  const named = process.env['TEMPORAL_CLI_PATH'];
  if (named) {
    if (isTemporalCli(named)) return named;
    throw new Error(`TEMPORAL_CLI_PATH: ${named} is not a Temporal CLI`);
  }
  if (isTemporalCli('temporal')) return 'temporal';
  for (const path of [await builtTemporalPath(), downloadedTemporalPath()]) {
    if (existsSync(path)) return path;
  }
  const reasons: string[] = [];
  for (const provide of [downloadTemporal, buildTemporal]) {
    try {
      return await provide(onProgress);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `No Temporal server. ${reasons.join('; ')}. Install the Temporal CLI (https://docs.temporal.io/cli), ` +
      'or set TEMPORAL_CLI_PATH to one, or TEMPORAL_ADDRESS to a running server.',
  );
}

/** There are other programs of this name, so it has to say who it is. */
function isTemporalCli(path: string): boolean {
  const asked = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.startsWith('temporal version');
}
