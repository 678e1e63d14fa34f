import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/run/routes';
import { blocksFor } from '../support/docs-ledger';
import { ROOT } from '../support/documents';
import { buildKustomization } from './kustomize';
import { containersOf, type Manifest, podsOf, titleOf } from './manifest';

type Labels = Readonly<Record<string, string>>;
interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

/** The secrets that docs/deployment.md has its reader make, with their keys. */
const SECRETS = new Map(
  blocksFor('kubernetes', 'docs/deployment.md')
    .map(({ commands }) => commands.replaceAll(/\\\n\s*/g, ''))
    .flatMap((commands) => [
      ...commands.matchAll(/^kubectl create secret (generic|tls) (\S+)(.*)$/gm),
    ])
    .map(([, type, name = '', rest = '']) => [
      name,
      type === 'tls'
        ? ['tls.crt', 'tls.key']
        : [...rest.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => key),
    ]),
);

const matches = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(
    ({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''),
  );

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];
const nameOf = ({ name }: { readonly name: string }): string => name;
const named = (manifests: readonly Manifest[]) =>
  manifests.map((manifest) => [titleOf(manifest), manifest] as const);

const portsOf = (pods: readonly Manifest[]): readonly string[] =>
  pods.flatMap(containersOf).flatMap(({ ports = [] }) => ports.map(nameOf));

describe.each(['trial', 'production'])('the overlay %s', (overlay) => {
  const manifests = buildKustomization(join(ROOT, 'ops', 'kubernetes', 'overlays', overlay));
  const programs = manifests.filter((manifest) => podsOf(manifest) !== undefined);
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);
  const selected = (selector: Selector) =>
    programs.filter((program) => matches(selector, podsOf(program).metadata.labels));
  const each = (kind: string) => named(ofKind(kind));

  const maps = ofKind('ConfigMap').map(({ metadata }) => metadata.name);

  test.each(named(programs))('%s reads maps and secrets that exist', (_title, program) => {
    const containers = containersOf(program);
    const whole = containers.flatMap(({ envFrom = [] }) => envFrom);
    const mounted = (podsOf(program).spec.volumes ?? []).map(
      (volume: { configMap?: { name: string } }) => volume.configMap?.name,
    );
    const read = [...whole.map(({ configMapRef }) => configMapRef?.name), ...mounted];
    expect(read.filter((name) => name !== undefined && !maps.includes(name))).toEqual([]);
    const keys = containers
      .flatMap(({ env = [] }) => env)
      .map(({ valueFrom }) => valueFrom?.secretKeyRef);
    const secrets = [...whole.map(({ secretRef }) => secretRef), ...keys].filter(Boolean);
    const unknown = secrets.filter(
      ({ name, key }) => !SECRETS.has(name) || (key && !SECRETS.get(name)?.includes(key)),
    );
    expect(unknown).toEqual([]);
  });

  test.each(named(programs))('%s mounts what it has', (_title, program) => {
    const claims = (program.spec.volumeClaimTemplates ?? []).map(
      ({ metadata }: Manifest) => metadata.name,
    );
    const volumes = [...(podsOf(program).spec.volumes ?? []).map(nameOf), ...claims];
    const mounts = containersOf(program).flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map(nameOf),
    );
    expect(mounts.filter((name) => !volumes.includes(name))).toEqual([]);
  });

  test.each(named(programs))(
    '%s has probes on ports and paths that there are',
    (_title, program) => {
      const paths = ROUTES.map(({ path }) => path);
      const wrong = containersOf(program).flatMap((container) => {
        const ports = (container.ports ?? []).map(nameOf);
        return PROBES.flatMap((probe) => {
          const { httpGet, tcpSocket } = container[probe] ?? {};
          const { port, path } = httpGet ?? tcpSocket ?? {};
          const isWrong = (port && !ports.includes(port)) || (path && !paths.includes(path));
          return isWrong ? [`${probe} ${port} ${path}`] : [];
        });
      });
      expect(wrong).toEqual([]);
    },
  );

  test.each(named(programs.filter(({ kind }) => kind !== 'Job')))(
    '%s has labels of its own',
    (_title, program) => {
      expect(selected(program.spec.selector)).toEqual([program]);
    },
  );

  test('everything that runs on has a startup and a readiness probe', () => {
    const without = programs
      .filter(({ kind }) => kind !== 'Job')
      .flatMap((program) => podsOf(program).spec.containers)
      .filter(({ startupProbe, readinessProbe }) => !startupProbe || !readinessProbe);
    expect(without).toEqual([]);
  });

  test.each(each('Service'))('%s leads to one program, at a port of it', (_title, { spec }) => {
    const pods = selected({ matchLabels: spec.selector });
    expect(pods).toHaveLength(1);
    for (const { targetPort } of spec.ports) expect(portsOf(pods)).toContain(targetPort);
  });

  test.each(each('NetworkPolicy'))(
    '%s is about pods and ports that there are',
    (_title, { spec }) => {
      const pods = selected(spec.podSelector);
      expect(pods.length).toBeGreaterThan(0);
      for (const { ports = [], from = [] } of spec.ingress ?? []) {
        for (const { port } of ports) expect(portsOf(pods)).toContain(port);
        for (const { podSelector } of from) expect(selected(podSelector).length).toBeGreaterThan(0);
      }
    },
  );

  test('every address of a server in the cluster is a service with that port', () => {
    const known = ofKind('Service').flatMap(({ metadata, spec }) =>
      spec.ports.map(({ port }: { port: number }) => `${metadata.name}:${port}`),
    );
    const settings = ofKind('ConfigMap').find(
      ({ metadata }) => metadata.name === 'pos-integrations',
    );
    const temporal = settings?.data?.['TEMPORAL_ADDRESS'] ?? '';
    const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
    const servers = overlay === 'trial' ? [temporal, /@(postgres:\d+)\/pos"/.exec(page)?.[1]] : [];
    expect(servers.filter((server) => !known.includes(server))).toEqual([]);
  });
});

describe('the overlay production', () => {
  const manifests = buildKustomization(join(ROOT, 'ops', 'kubernetes', 'overlays', 'production'));
  const one = (title: string) => manifests.find((each) => titleOf(each) === title) as Manifest;

  test('the ingress leads to a port of a service, with a secret that the page has its reader make', () => {
    const { spec } = one('Ingress pos-integrations');
    const { service } = spec.rules[0].http.paths[0].backend;
    const ports = one(`Service ${service.name}`).spec.ports.map(
      ({ name }: { name: string }) => name,
    );
    expect(ports).toContain(service.port.name);
    expect(SECRETS.get(spec.tls[0].secretName)).toEqual(['tls.crt', 'tls.key']);
    expect(spec.tls[0].hosts).toEqual([spec.rules[0].host]);
  });

  test.each(['api', 'worker'])(
    '%s has an autoscaler, a budget and its metrics read',
    (component) => {
      const name = `pos-integrations-${component}`;
      const { spec } = one(`HorizontalPodAutoscaler ${name}`);
      expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name });
      const program = one(`Deployment ${name}`);
      // Each `apply` would set it back.
      expect(program.spec.replicas).toBeUndefined();
      const { labels } = podsOf(program).metadata;
      expect(matches(one(`PodDisruptionBudget ${name}`).spec.selector, labels)).toBe(true);
      const monitor = one('PodMonitor pos-integrations').spec;
      expect(matches(monitor.selector, labels)).toBe(true);
      expect(portsOf([program])).toContain(monitor.podMetricsEndpoints[0].port);
    },
  );

  test('what goes out is for the programs that call apps and receivers, and to public addresses alone', () => {
    const { spec } = one('NetworkPolicy pos-integrations-egress-public');
    const programs = manifests.filter((each) => podsOf(each) !== undefined);
    const reached = programs.filter((each) =>
      matches(spec.podSelector, podsOf(each).metadata.labels),
    );
    expect(reached.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment']);
    expect(spec.egress[0].to[0].ipBlock.except).toEqual(
      expect.arrayContaining([
        '10.0.0.0/8',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ]),
    );
  });
});
