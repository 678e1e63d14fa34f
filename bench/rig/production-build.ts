import { execFileSync } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');

/**
 * Compiles API and worker into `directory` like `npm run build`; returns the path of the compiled sources. Running
 * from TypeScript would load a compiler and source maps: twice the memory, and slower stack traces, which the
 * workflow sandbox takes for every promise.
 */
export async function buildForProduction(directory: string): Promise<string> {
  const output = join(directory, 'dist');
  const run = (file: string, ...args: string[]) =>
    execFileSync(process.execPath, [file, ...args], { cwd: PROJECT, stdio: 'pipe' });
  // Types are checked elsewhere; here a file in the middle of an edit must not stop a measurement.
  const compile = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', output];
  run(join(PROJECT, 'node_modules/typescript/bin/tsc'), ...compile);
  // Everything else that is read at run time: migrations, pages.
  await cp(join(PROJECT, 'src'), join(output, 'src'), { recursive: true, filter: isNoSource });
  await symlink(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
  run(join(output, 'src/bin/bundle-workflows.js'));
  return join(output, 'src');
}

function isNoSource(path: string): boolean {
  return !/\.tsx?$/.test(path);
}
