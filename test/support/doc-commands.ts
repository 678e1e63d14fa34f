import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Commands in a document, and the output that it shows. */
export interface DocCommands {
  readonly commands: string;
  /** Null where it says nothing. */
  readonly prints: string | null;
}

const ROOT = join(__dirname, '..', '..');
const BLOCK = /```sh\n([^]*?)```(?:\s*```text\n([^]*?)```)?/g;

/** The commands of a document (relative to the project), from the heading on where one is given, in their order. */
export async function readCommands(document: string, heading = ''): Promise<DocCommands[]> {
  const text = await readFile(join(ROOT, document), 'utf8');
  const from = text.indexOf(heading);
  if (from < 0) throw new Error(`${document} has no ${heading}`);
  // A line with one # is a comment of the commands.
  const [section = ''] = text.slice(from + heading.length).split(heading === '' ? /$/ : /\n##+ /);
  const blocks = section.matchAll(BLOCK);
  return [...blocks].map(([, commands = '', prints]) => ({ commands, prints: prints ?? null }));
}

/** Line that no command prints. */
const NEXT = '=== next ===';

/**
 * Runs commands in the project, one after the other in one shell, like a reader who pastes them, with `replaced`
 * texts changed first; returns the output of each. Rejects if that takes longer than a minute.
 */
export async function pasteCommands(
  all: readonly DocCommands[],
  replaced: Readonly<Record<string, string>>,
): Promise<string[]> {
  const script = all.map(({ commands }) => commands).join(`\necho; echo '${NEXT}'\n`);
  const pasted = Object.entries(replaced).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    script,
  );
  const options = { cwd: ROOT, timeout: 60_000, maxBuffer: 16 * 1_048_576 };
  const { stdout } = await promisify(execFile)('sh', ['-c', pasted], options);
  return stdout.split(`${NEXT}\n`).map((printed) => printed.trim());
}
