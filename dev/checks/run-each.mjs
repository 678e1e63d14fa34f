import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The path of a command that a package brings. */
export const bin = (name) => join('node_modules', '.bin', name);

/**
 * Jest as a program and its arguments. Its processes make many short-lived objects: with the young generation that Node
 * takes by itself, an eighth of their time was collecting garbage.
 */
export const jest = (...args) => [
  process.execPath,
  '--max-semi-space-size=64',
  join('node_modules', 'jest', 'bin', 'jest.js'),
  ...args,
];

/** What a command ends with that cannot run on this machine, and has said why. */
const NOT_RUN = 77;

/**
 * Runs commands, each given as its title, program and arguments, in turn. Goes on after a failure, so that one run shows
 * every problem; returns whether all succeeded. A command that cannot run here is named, and is no failure.
 */
export function runEach(commands) {
  const failed = commands.filter(([title, program, ...args]) => {
    process.stdout.write(`\n${title}\n`);
    const startedAt = Date.now();
    const { status } = spawnSync(program, args, { stdio: 'inherit' });
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const ended = status === 0 ? 'ok' : status === NOT_RUN ? 'NOT RUN' : 'FAILED';
    process.stdout.write(`${title}: ${ended} (${seconds} s)\n`);
    return ended === 'FAILED';
  });
  if (failed.length === 0) return true;
  process.stdout.write(`\nFailed: ${failed.map(([title]) => title).join(', ')}\n`);
  return false;
}
