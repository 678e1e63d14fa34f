import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './error-code';
import { identifyProcess } from './process-identity';

const FILE = 'owner.json';

/** Thrown if a running process uses the directory. */
export class DirectoryInUseError extends Error {
  constructor(directory: string, pid: number) {
    super(
      `${directory} is in use by process ${pid}; stop that one, or set DATA_DIR to another folder`,
    );
    this.name = 'DirectoryInUseError';
  }
}

/**
 * Makes this process the only user of `directory`; resolves with a function that releases it. The note of a killed
 * process is ignored: it contains the start time, so a later process with the same id is not mistaken for it.
 */
export async function ownDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FILE);
  const note = JSON.stringify({ pid: process.pid, ...identifyProcess(process.pid) });
  for (;;) {
    if (await writeNew(path, note)) return () => rm(path, { force: true });
    const owner = await readOwner(path);
    if (owner !== undefined) throw new DirectoryInUseError(directory, owner);
    await rm(path, { force: true });
  }
}

/** Throws `DirectoryInUseError` if a running process uses it. */
export async function requireNoOwner(directory: string): Promise<void> {
  const owner = await readOwner(join(directory, FILE));
  if (owner !== undefined) throw new DirectoryInUseError(directory, owner);
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    await file.close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The running process that left the note. */
async function readOwner(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { pid, startedAt } = parseNote(text);
  const running = pid === undefined ? undefined : identifyProcess(pid);
  return running && running.startedAt === startedAt ? pid : undefined;
}

function parseNote(text: string): { pid?: number; startedAt?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // killed between creating and writing it
  }
}
