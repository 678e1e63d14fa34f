import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { composeVariables, readComposeFile } from '../../bench/rig/compose-file';
import { loadConfig } from '../../src/platform/config/config';
import { SETTINGS } from '../../src/platform/config/settings';
import { ROOT } from '../support/documents';
import { validateManifest } from './kubernetes-schema';
import { buildKustomization } from './kustomize';
import { containersOf, type Manifest, podsOf, titleOf } from './manifest';
import { programSource } from './program-source';
import { unreadFields } from './unread-fields';

const FOLDER = join(ROOT, 'ops', 'kubernetes');
const OVERLAYS = ['trial', 'production'].map((name) => ({
  name,
  manifests: buildKustomization(join(FOLDER, 'overlays', name)),
}));
const ADAPTER = parse(readFileSync(join(FOLDER, 'prometheus-adapter.yaml'), 'utf8')) as Manifest;
const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;

const named = (manifests: readonly Manifest[]) =>
  manifests.map((manifest) => [titleOf(manifest), manifest] as const);
const sorted = (manifests: readonly Manifest[]) =>
  manifests.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b)));
const withoutDigest = (image = ''): string => image.split('@')[0] ?? '';
const byText = (a: string, b: string): number => a.localeCompare(b);
const isOurs = ({ metadata }: Manifest) =>
  metadata.labels['app.kubernetes.io/part-of'] === 'pos-integrations';

describe.each(OVERLAYS)('the overlay $name', ({ name, manifests }) => {
  const programs = manifests.filter((manifest) => podsOf(manifest) !== undefined);
  const ours = programs.filter(isOurs);

  describe.each([...named(manifests), ...named([ADAPTER])])('%s', (_title, manifest) => {
    test('matches the schema of Kubernetes', () => {
      expect(() => validateManifest(manifest)).not.toThrow();
    });

    // The schemas allow unknown fields, but a server with strict validation does not: fields that the schema never
    // reads are unknown.
    test('has no unknown fields', () => {
      expect(unreadFields(manifest, validateManifest)).toEqual([]);
    });
  });

  describe.each(named(programs))('%s', (_title, program) => {
    const { spec } = podsOf(program);

    test('runs as nobody, without access to the cluster, on file systems that are read only, with limits', () => {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: expect.any(Number),
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect([spec.automountServiceAccountToken, spec.enableServiceLinks]).toEqual([false, false]);
      for (const { securityContext, resources } of containersOf(program)) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources.limits.memory).toMatch(/^\d+[MG]i$/);
      }
    });
  });

  test.each(named(ours))('%s runs a program that the image has', (_title, program) => {
    const [container] = containersOf(program);
    expect(existsSync(join(ROOT, programSource(container.command)))).toBe(true);
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'pos-integrations' } },
      { secretRef: { name: 'pos-integrations' } },
    ]);
  });

  test('has the two programs and the two jobs of a release', () => {
    expect(ours.map(titleOf).toSorted()).toEqual([
      'Deployment pos-integrations-api',
      'Deployment pos-integrations-worker',
      'Job pos-integrations-migrate',
      'Job pos-integrations-temporal-setup',
    ]);
  });

  test('has only settings that exist, and with the two secrets they are enough to start', () => {
    const { data = {} } = manifests.find(
      (each) => titleOf(each) === 'ConfigMap pos-integrations',
    ) as Manifest;
    expect(Object.keys(data).filter((setting) => !(setting in SETTINGS))).toEqual([]);
    const secrets = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    expect(loadConfig({ ...data, ...secrets })).toMatchObject({ METRICS_PORT: 9464, PORT: 3000 });
  });

  // Where there is no kubectl, the other tests stand on our own reading of the kustomizations alone.
  if (hasKubectl) {
    test('is what kubectl makes of it', () => {
      const built = spawnSync('kubectl', ['kustomize', join(FOLDER, 'overlays', name)], {
        encoding: 'utf8',
      });
      expect([built.status, built.stderr]).toEqual([0, '']);
      const theirs = parseAllDocuments(built.stdout).map((each) => each.toJS() as Manifest);
      expect(sorted(theirs)).toEqual(sorted(manifests));
    });
  }
});

test('a wrong type and a wrong name are detected, in a PodMonitor too', () => {
  const all = OVERLAYS.flatMap(({ manifests }) => manifests);
  const service = all.find(({ kind }) => kind === 'Service') as Manifest;
  const monitor = all.find(({ kind }) => kind === 'PodMonitor') as Manifest;
  for (const manifest of [service, monitor]) {
    const wrongType = { ...manifest, metadata: { ...manifest.metadata, labels: { a: 1 } } };
    expect(() => validateManifest(wrongType)).toThrow('must be string');
    const wrongName = { ...manifest, spec: { ...manifest.spec, selektor: {} } };
    expect(unreadFields(wrongName, validateManifest)).toEqual(['spec.selektor']);
  }
});

test('the servers of the trial are those of docker-compose.yml: images, shards, where their files are', () => {
  const { services } = readComposeFile(
    Object.fromEntries(composeVariables().map((name) => [name, name])),
  );
  const servers = OVERLAYS[0]?.manifests.filter((each) => podsOf(each) && !isOurs(each)) ?? [];
  const images: string[] = servers.flatMap(containersOf).map(({ image }) => image);
  const wanted = ['postgres', 'roles', 'temporal-schema', 'temporal'].map((name) =>
    withoutDigest(services[name]?.image),
  );
  expect(images.map(withoutDigest).toSorted(byText)).toEqual(wanted.toSorted(byText));
  const [, temporal] = servers
    .filter(({ metadata }) => metadata.name === 'temporal')
    .flatMap(containersOf);
  const variables = temporal.env.map(({ name }: { name: string }) => name);
  expect(variables.toSorted()).toEqual(
    Object.keys(services['temporal']?.environment ?? {}).toSorted(),
  );
});

test('the autoscaler of the workers uses a metric that the adapter makes of one with an alert', () => {
  const worker = OVERLAYS.flatMap(({ manifests }) => manifests).find(
    (each) => titleOf(each) === 'HorizontalPodAutoscaler pos-integrations-worker',
  );
  const alerts = readFileSync(join(FOLDER, '..', 'alerts.yml'), 'utf8');
  const text = ADAPTER.data?.['config.yaml'] ?? '';
  expect(text).toContain(`as: ${worker?.spec.metrics[0].external.metric.name}\n`);
  const series = /seriesQuery: (\w+)/.exec(text)?.[1] ?? 'none';
  // Each alert is held against the metrics that exist.
  expect(alerts).toContain(`(${series})`);
});
