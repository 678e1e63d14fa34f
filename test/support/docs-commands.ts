import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(__dirname, '..', '..');

/** A block of programs that run until they are stopped, or that are tried elsewhere. */
const NOT_PLAYED = /^(npm|npx|docker|node|printf|export|WEBHOOK_SECRETS)\b/m;

/** The blocks of shell commands of a page, in their order. */
export function commandBlocks(page: string): readonly string[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
}

/**
 * Runs the commands of a page like a reader who pastes them, one after the other in one shell, with the given
 * replacements for origins and the token. Resolves to their output; throws if one of them fails, including answers of
 * 400 and more.
 */
export async function playPage(
  page: string,
  replaced: Readonly<Record<string, string>>,
): Promise<string> {
  const blocks = commandBlocks(page).filter((block) => !NOT_PLAYED.test(block));
  if (blocks.length === 0) throw new Error(`${page} has no commands`);
  const script = Object.entries(replaced).reduce(
    (commands, [from, to]) => commands.replaceAll(from, to),
    blocks.join('\n'),
  );
  const home = mkdtempSync(join(tmpdir(), 'docs-commands-'));
  try {
    writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
    const env = { ...process.env, CURL_HOME: home };
    const shell = spawn('sh', ['-ec', script], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      shell.once('close', resolve);
      shell.once('error', reject);
    });
    const [out, err, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
    if (status !== 0) throw new Error(`a command of ${page} ended with ${status}:\n${out}\n${err}`);
    return out;
  } finally {
    rmSync(home, { recursive: true });
  }
}
