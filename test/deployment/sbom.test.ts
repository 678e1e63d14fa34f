import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/documents';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

test('npm run sbom names what the image has: koa, what it needs in turn, and no package to develop with', () => {
  const made = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  const bill = JSON.parse(made.stdout) as Bill;
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'pos-integrations']);
  const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const { dependencies } = read('package.json') as {
    dependencies: Readonly<Record<string, string>>;
  };
  const direct = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  expect(direct.filter((each) => !named.has(each))).toEqual([]);
  // Of the Temporal client: npm's own list without development packages does not have it.
  expect(bill.components.map(({ name }) => name)).toContain('@grpc/grpc-js');
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
  const shipped = new Set(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  );
  expect([...named].filter((each) => !shipped.has(each))).toEqual([]);
  const { name, version } = bill.metadata.component;
  const known = new Set([...named, `${name}@${version}`]);
  const referred = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(referred.filter((each) => !known.has(each))).toEqual([]);
});
