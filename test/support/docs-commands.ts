import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './documents';

/** A block of commands in a page, and the output that the page shows for it. */
export interface CommandBlock {
  readonly commands: string;
  /** Null where it shows none. */
  readonly prints: string | null;
}

export interface PlayOptions {
  /** Placeholders and addresses of the pages, and what is put in their place. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the project. */
  readonly directory?: string;
}

const BLOCK = /^```sh\n([^]*?)^```$(?:\s*^```text\n([^]*?)^```$)?/gm;
/** Line that no command prints. */
const NEXT = '=== next ===';

/** The blocks of shell commands of a page, in their order; with a heading only those of its section. */
export function commandBlocks(page: string, heading = ''): readonly CommandBlock[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  const from = markdown.indexOf(heading);
  if (from < 0) throw new Error(`${page} has no ${heading}`);
  // A line with one # is a comment of the commands.
  const [section = ''] = markdown.slice(from + heading.length).split(heading ? /\n##+ / : /$/);
  return [...section.matchAll(BLOCK)].map(([, commands = '', prints]) => ({
    commands,
    prints: prints ?? null,
  }));
}

/**
 * Runs blocks like a reader who pastes them, one after the other in one shell; resolves to what each printed. Throws if
 * a command fails, including answers of 400 and more.
 */
export async function playBlocks(
  blocks: readonly CommandBlock[],
  { replaced, env = {}, directory = ROOT }: PlayOptions,
): Promise<readonly string[]> {
  if (blocks.length === 0) throw new Error('there are no commands');
  const script = Object.entries(replaced).reduce(
    (commands, [from, to]) => commands.replaceAll(from, to),
    blocks.map(({ commands }) => commands).join(`\necho; echo '${NEXT}'\n`),
  );
  const home = mkdtempSync(join(tmpdir(), 'docs-commands-'));
  try {
    writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
    const shell = spawn('sh', ['-ec', script], {
      cwd: directory,
      env: { ...process.env, CURL_HOME: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      shell.once('close', resolve);
      shell.once('error', reject);
    });
    const [out, err, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
    if (status !== 0) throw new Error(`a command ended with ${status}:\n${out}\n${err}`);
    return out.split(`${NEXT}\n`).map((printed) => printed.trim());
  } finally {
    rmSync(home, { recursive: true });
  }
}
