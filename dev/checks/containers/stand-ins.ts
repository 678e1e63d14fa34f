import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildTemporalPrograms } from '../../../bench/rig/temporal-on-postgres';
import { cacheFolder } from '../../processes/cache-folder';
import type { Engine } from './engine';
import { run, tryRun } from './run';

/*
 * Images for a machine without a registry, as root on Debian: one root of Debian's packages (Postgres, Prometheus),
 * npm's `node`, and the Go modules of Temporal and Caddy, all of the versions that are pinned where they have a choice.
 * What is used of the real ones is the same: users by number, folders, entry points, and the right that Caddy's program
 * carries. Temporal's UI only has its port.
 */

/** The image without name and tag of the real one, so that nobody takes it for that. */
export const standInOf = (image: string): string => `stand-in/${image.split('@')[0] ?? image}`;

const ROOT_IMAGE = 'stand-in/root:2';
const PACKAGES = [
  'busybox-static',
  'ca-certificates',
  'libatomic1',
  'libcap2-bin',
  'netcat-openbsd',
  'postgresql-common',
];

type Build = (work: string, version: string) => Promise<void>;

/** What is built for an image by the beginning of its name; each writes a Dockerfile and what that copies. */
const BUILDS: Readonly<Record<string, Build>> = {
  node: buildNode,
  postgres: buildPostgres,
  caddy: buildCaddy,
  'temporalio/server': buildTemporal,
  'temporalio/admin-tools': buildTemporalTools,
  'temporalio/ui': buildNothingBut(
    'USER 1000\nCMD ["busybox", "httpd", "-f", "-p", "8080", "-h", "/etc"]',
  ),
  'prom/prometheus': buildNothingBut(
    'RUN mkdir -p /prometheus && chown -R nobody:nogroup /prometheus\nUSER nobody\nVOLUME /prometheus\nENTRYPOINT ["/usr/bin/prometheus"]',
  ),
};

/** Makes the image that stands in for this one, unless there is one. */
export async function makeStandIn(engine: Engine, work: string, image: string): Promise<void> {
  const { env } = engine;
  const made = standInOf(image);
  if (await hasImage(engine, made)) return;
  if (!(await hasImage(engine, ROOT_IMAGE))) await makeRoot(engine, work);
  const [name = '', tag = ''] = image.split(/[:@]/);
  const build = BUILDS[name];
  if (!build) throw new Error(`nothing stands in for ${image}`);
  const folder = join(work, made.replaceAll(/\W/g, '-'));
  await mkdir(folder, { recursive: true });
  await build(folder, /\d+(\.\d+)+/.exec(tag)?.[0] ?? '');
  await run('docker', ['build', '--quiet', '--tag', made, folder], { env });
}

/** Compose v2 as Debian has it in trixie. */
export async function fetchComposePlugin(engine: Engine, to: string): Promise<void> {
  const fetch = [
    'cd /tmp && apt-get update -qq && apt-get download docker-compose',
    'dpkg -x docker-compose_*.deb . && cp "$(find . -path "*cli-plugins/docker-compose")" /out/',
  ].join(' && ');
  const mount = `${dirname(to)}:/out`;
  const args = [
    'run',
    '--rm',
    '--network',
    'host',
    '--volume',
    mount,
    ROOT_IMAGE,
    'sh',
    '-euc',
    fetch,
  ];
  await run('docker', args, { env: engine.env });
}

async function hasImage({ env }: Engine, image: string): Promise<boolean> {
  return (await tryRun('docker', ['image', 'inspect', image], { env })).status === 0;
}

async function makeRoot({ env }: Engine, work: string): Promise<void> {
  const root = join(work, 'root');
  await mkdir(root);
  const include = `--include=${PACKAGES.join(',')}`;
  await run('debootstrap', ['--variant=minbase', include, 'trixie', root, await mirror()]);
  await writeFile(
    join(root, 'etc/postgresql-common/createcluster.conf'),
    'create_main_cluster = false\n',
  );
  await run('chroot', [root, 'sh', '-euc', IN_ROOT], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  await run('sh', ['-euc', `tar -C '${root}' -c . | docker import - ${ROOT_IMAGE}`], { env });
  await rm(root, { recursive: true });
}

const IN_ROOT = `
groupmod --gid 70 postgres; usermod --uid 70 --gid 70 postgres
groupadd --gid 1000 node; useradd --uid 1000 --gid 1000 --create-home node
apt-get install -y --no-install-recommends postgresql-17 prometheus
ln -sf /bin/busybox /usr/local/bin/wget
apt-get clean; rm -rf /var/lib/apt/lists/* /usr/share/doc /usr/share/man /usr/share/locale`;

/** Where this machine has its packages from. */
async function mirror(): Promise<string> {
  const parts = '/etc/apt/sources.list.d';
  const files = (await readdir(parts)).map((name) => join(parts, name));
  for (const file of ['/etc/apt/sources.list', ...files]) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const found = /^URIs: *(\S+)/m.exec(text) ?? /^deb (?:\[[^\]]*\] )?(\S+)/m.exec(text);
    if (found?.[1]) return found[1];
  }
  throw new Error('apt has no source of packages');
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

async function buildNode(work: string, version: string): Promise<void> {
  const npm = ['install', '--no-audit', '--no-fund', '--prefix', work, `node@${version}`, 'npm@11'];
  await run('npm', npm);
  // The authorities of this machine, whose registry it may be.
  await cp(CERTIFICATES, join(work, 'certificates.crt'));
  await writeDockerfile(
    work,
    `COPY certificates.crt ${CERTIFICATES}
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
COPY node_modules/node/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN chmod 644 ${CERTIFICATES} && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm`,
  );
}

/** The first start makes the database, with a server that only the socket reaches; anything else is just run. */
const POSTGRES_ENTRYPOINT = `#!/bin/sh
set -eu
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  chmod 700 "$PGDATA"
  (umask 077; printf '%s\\n' "$POSTGRES_PASSWORD" > /tmp/password)
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password; rm /tmp/password
  printf 'host all all all scram-sha-256\\n' >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl -w -o "-c listen_addresses=''" start; pg_ctl -w -m fast stop
fi
exec "$@"
`;

async function buildPostgres(work: string): Promise<void> {
  await writeFile(join(work, 'entrypoint'), POSTGRES_ENTRYPOINT, { mode: 0o755 });
  await writeDockerfile(
    work,
    `COPY entrypoint /usr/local/bin/
RUN chmod 755 /usr/local/bin/entrypoint && install -d -o 70 -g 70 -m 1777 /var/lib/postgresql/data && install -d -o 70 -g 70 -m 3777 /run/postgresql
ENV LANG=C.UTF-8 PGDATA=/var/lib/postgresql/data PATH=/usr/local/bin:/usr/lib/postgresql/17/bin:/usr/bin:/bin
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["entrypoint"]
STOPSIGNAL SIGINT
CMD ["postgres"]`,
  );
}

async function buildCaddy(work: string, version: string): Promise<void> {
  const folder = join(cacheFolder(), `caddy-${version}`);
  await mkdir(folder, { recursive: true });
  const env = { CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', GOBIN: folder };
  const source = `github.com/caddyserver/caddy/v2/cmd/caddy@v${version}`;
  if (!existsSync(join(folder, 'caddy'))) {
    await run('go', ['install', '-trimpath', '-ldflags', '-s -w', source], { cwd: folder, env });
  }
  await cp(join(folder, 'caddy'), join(work, 'caddy'));
  await writeDockerfile(
    work,
    `COPY caddy /usr/bin/caddy
RUN chmod 755 /usr/bin/caddy && setcap cap_net_bind_service=+ep /usr/bin/caddy && mkdir -p /config /data
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
WORKDIR /srv`,
  );
}

async function buildTemporal(work: string, version: string): Promise<void> {
  const { folder } = await buildTemporalPrograms(version);
  await cp(join(folder, 'temporal-server'), join(work, 'temporal-server'));
  const start =
    '#!/bin/sh\nexport TEMPORAL_BROADCAST_ADDRESS="$(hostname -i)"\nexec temporal-server start\n';
  await writeFile(join(work, 'entrypoint.sh'), start);
  await writeDockerfile(
    work,
    `COPY temporal-server /usr/local/bin/
COPY entrypoint.sh /etc/temporal/
RUN chmod 755 /usr/local/bin/temporal-server /etc/temporal/entrypoint.sh
USER 1000
CMD ["/etc/temporal/entrypoint.sh"]`,
  );
}

async function buildTemporalTools(work: string, version: string): Promise<void> {
  const { folder, schema } = await buildTemporalPrograms(version);
  await cp(join(folder, 'temporal-sql-tool'), join(work, 'temporal-sql-tool'));
  await cp(schema, join(work, 'schema'), { recursive: true });
  // Go keeps its modules without write bits.
  await run('chmod', ['-R', 'u+w', join(work, 'schema')]);
  await writeDockerfile(
    work,
    `COPY temporal-sql-tool /usr/local/bin/
COPY schema /etc/temporal/schema
RUN chmod 755 /usr/local/bin/temporal-sql-tool && chmod -R a+rX /etc/temporal
USER 1000`,
  );
}

function buildNothingBut(lines: string): Build {
  return (work) => writeDockerfile(work, lines);
}

async function writeDockerfile(work: string, lines: string): Promise<void> {
  await writeFile(join(work, 'Dockerfile'), `FROM ${ROOT_IMAGE}\n${lines}\n`);
  await chmod(work, 0o755);
}
