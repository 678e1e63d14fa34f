import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './documents';

export const DOCS = join(ROOT, 'docs');

export type Command = readonly [program: string, ...args: string[]];

export interface Language {
  readonly name: string;
  readonly file: string;
  /** Prints the version of the tool that runs the file; when it fails, the tests are shown as skipped. */
  readonly probe: Command;
  /**
   * Few machines have the tool: without it one test reports that the others were not run, and none counts as skipped.
   */
  readonly optional?: boolean;
  /** The command that starts the receiver; may build it into `folder`. */
  command(file: string, folder: string): Command;
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    file: 'verifiers/python/verify_webhook.py',
    probe: ['python3', '--version'],
    command: (file) => ['python3', '-B', file],
  },
  {
    name: 'Go',
    file: 'verifiers/go/verify_webhook.go',
    probe: ['go', 'version'],
    command(file, folder) {
      const program = join(folder, 'receiver');
      // The file needs nothing but the standard library: a download would be a defect.
      const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '' };
      const built = spawnSync('go', ['build', '-o', program, file], { env, encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      return [program];
    },
  },
  {
    name: 'Node',
    file: 'verifiers/node/verify-webhook.mjs',
    probe: [process.execPath, '--version'],
    command: (file) => [process.execPath, file],
  },
  {
    name: 'Java',
    file: 'verifiers/java/VerifyWebhook.java',
    probe: ['javac', '--version'],
    optional: true,
    command(file, folder) {
      const built = spawnSync('javac', ['-d', folder, file], { encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      return ['java', '-cp', folder, 'VerifyWebhook'];
    },
  },
  {
    name: 'Ruby',
    file: 'verifiers/ruby/verify_webhook.rb',
    probe: ['ruby', '--version'],
    optional: true,
    command: (file) => ['ruby', '-w', file],
  },
  {
    name: 'PHP',
    file: 'verifiers/php/verify_webhook.php',
    probe: ['php', '--version'],
    optional: true,
    command: (file) => ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file],
  },
];

export function isAvailable({ probe: [tool, ...args] }: Language): boolean {
  return spawnSync(tool, args).status === 0;
}
