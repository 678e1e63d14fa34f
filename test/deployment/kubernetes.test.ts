import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/platform/config/config';
import { SETTINGS } from '../../src/platform/config/settings';
import { programSource } from './program-source';
import { unreadFields } from './unread-fields';

type Fields = Readonly<Record<string, unknown>>;
interface Manifest extends Fields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // oxlint-disable-next-line typescript/no-explicit-any -- of any kind; the schema says which fields it has
  readonly spec: any;
  readonly data?: Readonly<Record<string, string>>;
}

const FOLDER = join(__dirname, '..', '..', 'ops', 'kubernetes');
const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => ({
    title: `${file}: ${String(document.get('kind'))} ${String(document.getIn(['metadata', 'name']))}`,
    manifest: document.toJS() as Manifest,
  })),
);
const ofKind = (kind: string) =>
  manifests.map(({ manifest }) => manifest).filter((each) => each.kind === kind);
const programs = [...ofKind('Deployment'), ...ofKind('Job')];
const settings = ofKind('ConfigMap').find(({ metadata }) => metadata.name === 'pos-integrations');

interface Model {
  readonly prototype: { validate(this: object): void };
}

/** The class made from Kubernetes' own schema; loaded by name, as each manifest says its own. Throws what does not hold. */
function validate(manifest: object): void {
  const { apiVersion, kind } = manifest as Manifest;
  const load = createRequire(__filename);
  const models = load(`kubernetes-models/${apiVersion}`) as Record<string, Model>;
  const Known = models[kind];
  if (!Known) throw new Error(`Kubernetes knows no ${apiVersion} ${kind}`);
  // Not by `new`, which copies the manifest and so reads every field.
  Known.prototype.validate.call(manifest);
}

describe.each(manifests)('$title', ({ manifest }) => {
  test('matches the schema of Kubernetes', () => {
    expect(() => validate(manifest)).not.toThrow();
  });

  // The schemas allow unknown fields, but a server with strict validation does not: fields that the schema never
  // reads are unknown.
  test('has no unknown fields', () => {
    expect(unreadFields(manifest, validate)).toEqual([]);
  });
});

test('a wrong type and a wrong name are detected', () => {
  const manifest = manifests[0]?.manifest as Manifest;
  const wrongType = { ...manifest, metadata: { ...manifest.metadata, labels: { a: 1 } } };
  expect(() => validate(wrongType)).toThrow('must be string');
  const wrongName = { ...manifest, metadata: { ...manifest.metadata, lables: {} } };
  expect(unreadFields(wrongName, validate)).toEqual(['metadata.lables']);
});

describe.each(programs.map((program) => ({ name: program.metadata.name, program })))(
  '$name',
  ({ program }) => {
    const pod = program.spec.template.spec;
    const [container] = pod.containers;

    test('runs a program that the image has', () => {
      expect(existsSync(join(FOLDER, '..', '..', programSource(container.command)))).toBe(true);
    });

    test('runs as nobody, on a file system that is read only, with a limit', () => {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      expect(pod.automountServiceAccountToken).toBe(false);
    });

    test('reads its settings from the map, and its secrets from the secret', () => {
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'pos-integrations' } },
        { secretRef: { name: 'pos-integrations' } },
      ]);
    });
  },
);

describe.each(ofKind('Deployment').map((program) => ({ name: program.metadata.name, program })))(
  '$name',
  ({ name, program }) => {
    const labels = program.spec.template.metadata.labels;
    const [container] = program.spec.template.spec.containers;

    test('has probes on ports that it listens on', () => {
      const ports = container.ports.map((port: { name: string }) => port.name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(ports).toContain(container[probe].httpGet.port);
        expect(container[probe].httpGet.path).toMatch(/^\/health\/(live|ready)$/);
      }
    });

    test.each(['PodDisruptionBudget', 'HorizontalPodAutoscaler'])('has a %s', (kind) => {
      const found = ofKind(kind).find(({ metadata }) => metadata.name === name);
      expect(found?.spec.selector?.matchLabels ?? found?.spec.scaleTargetRef).toEqual(
        kind === 'PodDisruptionBudget'
          ? labels
          : { apiVersion: 'apps/v1', kind: 'Deployment', name },
      );
    });

    test('selects its own pods', () => {
      expect(program.spec.selector.matchLabels).toEqual(labels);
      const services = ofKind('Service').filter(({ metadata }) => metadata.name === name);
      for (const { spec } of services) expect(spec.selector).toEqual(labels);
    });
  },
);

test('the config map has only existing settings, and with the two secrets they are enough to start', () => {
  const data = settings?.data ?? {};
  expect(Object.keys(data).filter((name) => !(name in SETTINGS))).toEqual([]);
  const secrets = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  expect(loadConfig({ ...data, ...secrets })).toMatchObject({ METRICS_PORT: 9464, PORT: 3000 });
});

test('the autoscaler of the workers uses a metric that the adapter makes of one with an alert', () => {
  const worker = ofKind('HorizontalPodAutoscaler').find(({ metadata }) =>
    metadata.name.endsWith('-worker'),
  );
  const rules = ofKind('ConfigMap').find(({ metadata }) => metadata.name === 'prometheus-adapter');
  const alerts = readFileSync(join(FOLDER, '..', 'alerts.yml'), 'utf8');
  const text = rules?.data?.['config.yaml'] ?? '';
  expect(text).toContain(`as: ${worker?.spec.metrics[0].external.metric.name}\n`);
  const series = /seriesQuery: (\w+)/.exec(text)?.[1] ?? 'none';
  // Each alert is held against the metrics that exist.
  expect(alerts).toContain(`(${series})`);
});

test('there are two deployments and two jobs', () => {
  expect(programs.map(({ metadata }) => metadata.name)).toHaveLength(4);
});
