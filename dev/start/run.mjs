#!/usr/bin/env node
// What `npx` runs from a packed tarball: `npm start`, with its state in the folder where it was called.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Below a folder node_modules TypeScript is not compiled: it runs from a copy beside the servers that it fetches.
const packed = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const version = createHash('sha256').update(readFileSync(join(packed, 'package.json')));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pos-integrations');
const root = join(cache, `packed-${version.digest('hex').slice(0, 12)}`);
const isOurs = (path) => !relative(packed, path).split(/[\\/]/).includes('node_modules');
cpSync(packed, root, { recursive: true, preserveTimestamps: true, filter: isOurs });

const env = { ...process.env, DATA_DIR: process.env.DATA_DIR || join(process.cwd(), '.data') };
const options = { cwd: root, env, stdio: 'inherit' };
const here = join(root, 'dev', 'start');
const installed = spawnSync(process.execPath, [join(here, 'install-if-missing.mjs')], options);
if (installed.status !== 0) process.exit(installed.status ?? 1);
const start = [join(here, 'start.ts'), ...process.argv.slice(2)];
const running = spawn(process.execPath, ['--import', 'tsx', ...start], options);
// Ctrl-C reaches both; whoever stops this one alone means both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => running.kill(signal));
running.once('exit', (code) => process.exit(code ?? 1));
