import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withinMs } from '../../src/platform/within-ms';
import { cacheFolder } from '../processes/cache-folder';
import { type OnProgress, whileWaiting } from '../processes/progress';

/** Asked first: without a network the SDK tries for minutes. */
const DOWNLOAD_SITE = 'https://temporal.download';
const REACH_TIMEOUT_MS = 4_000;
/** About 60 MB, on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

const run = promisify(execFile);

/** Where the download goes. */
export function downloadedTemporalPath(): string {
  return join(cacheFolder(), 'temporal-cli-download', 'temporal');
}

/** Downloads the CLI that belongs to the installed SDK and returns its path; fails quickly without a network. */
export async function downloadTemporal(onProgress: OnProgress): Promise<string> {
  await withinMs(REACH_TIMEOUT_MS, (signal) =>
    fetch(DOWNLOAD_SITE, { method: 'HEAD', signal }),
  ).catch(() => {
    throw new Error(`${DOWNLOAD_SITE} cannot be reached`);
  });
  const path = downloadedTemporalPath();
  await mkdir(dirname(path), { recursive: true });
  const folder = await mkdtemp(`${path}-`);
  try {
    const script = join(__dirname, 'download-temporal.mjs');
    const work = run(process.execPath, [script, folder], { timeout: DOWNLOAD_TIMEOUT_MS });
    await whileWaiting('Downloading the Temporal server, once', onProgress, work);
    const [name] = (await readdir(folder)).filter((each) => each.startsWith('temporal'));
    if (name === undefined) throw new Error('the Temporal SDK downloaded nothing');
    await rename(join(folder, name), path);
    return path;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
