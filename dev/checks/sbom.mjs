// `npm run sbom`: prints a bill of materials of what runs in production, as CycloneDX. npm makes one of everything in
// the lockfile, of which we keep what the image has. Its own `--omit=dev` leaves out what our packages need in turn:
// npm 11 names 79 of the 227, and not @grpc/grpc-js.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** As `npm prune --omit=dev --omit=optional` in the Dockerfile leaves them. */
const shipped = new Set(
  Object.entries(read('package-lock.json').packages)
    .filter(([path, { dev, optional, devOptional, link }]) => {
      const isOmitted = dev || optional || devOptional || link;
      return path.includes('node_modules/') && !isOmitted;
    })
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
);

const npm = process.env.npm_execpath;
const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
const { status, stdout } = spawnSync(
  command,
  [...before, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only'],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (status !== 0) process.exit(1);

const bill = JSON.parse(stdout);
const self = bill.metadata.component;
// npm takes the name of the folder.
self.name = read('package.json').name;
const isKept = (ref) => shipped.has(ref) || ref === self['bom-ref'];
const components = bill.components.filter((each) => isKept(each['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => isKept(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
