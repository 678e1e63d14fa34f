import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Tried, up } from './attempts';
import { makeCaller } from './caller';
import {
  type Deployment,
  edit,
  PROJECT,
  type Release,
  REPOSITORY,
  THIS_RELEASE,
} from './deployment';
import type { Neighbours } from './neighbours';
import { run, tryRun } from './run';
import { callAllTheTime, putRows } from './upgrade';

/** The oldest state from which an upgrade is promised: the commit whose schema is the baseline. */
export const OLDEST = 'ea0ae7b3';

/** Its files, or undefined where the history does not go back to it: in a shallow clone or a tarball. */
export async function findOldestRelease(): Promise<Release | undefined> {
  const { status } = await tryRun('git', ['cat-file', '-e', `${OLDEST}^{commit}`], {
    cwd: REPOSITORY,
  });
  return status === 0 ? { image: `${PROJECT}:oldest`, copyTo: copyOldest } : undefined;
}

async function copyOldest(folder: string): Promise<void> {
  const archive = join(folder, 'archive.tar');
  await run('git', ['archive', `--output=${archive}`, OLDEST], { cwd: REPOSITORY });
  await run('tar', ['-xf', archive], { cwd: folder });
  await rm(archive);
  // Its ports and Node's image were fixed; here they can be chosen, as today.
  await edit(join(folder, 'docker-compose.yml'), (text) =>
    text
      .replace('127.0.0.1:3000:', '127.0.0.1:${API_PORT}:')
      .replace("['127.0.0.1:8080:", "['127.0.0.1:${TEMPORAL_UI_PORT}:")
      .replace('127.0.0.1:9090:', '127.0.0.1:${PROMETHEUS_PORT}:'),
  );
  await edit(join(folder, 'Dockerfile'), (text) =>
    text.replace(
      /^FROM (node:\S+)[^]*/m,
      (from, image: string) =>
        `ARG NODE_IMAGE=${image}\n${from.replaceAll(`FROM ${image}`, 'FROM ${NODE_IMAGE}')}`,
    ),
  );
}

/**
 * While somebody calls all the time: first the new schema alone, under the old processes, then all of this release as
 * docs/upgrading.md says for such a deployment.
 */
export async function upgradeFromOldest(
  deployment: Deployment,
  neighbours: Neighbours,
): Promise<string> {
  await deployment.compose('build', '--quiet');
  await up(deployment);
  const caller = await makeCaller(deployment, neighbours);
  await caller.register(1, 'one');
  const tried: Tried = { deployment, neighbours, caller };
  const rows = await putRows(tried);
  await neighbours.control('DELETE', 'receiver/_sandbox/requests');
  await deployment.checkOut(THIS_RELEASE);
  await deployment.compose('build', '--quiet');

  const onNewSchema = await callAllTheTime(caller, async () => {
    const { status, output } = await deployment.tryShell('sh', ['ops/compose/upgrade.sh']);
    expect(status === 1 && output.includes('From commit ea0ae7b3'), `upgrade.sh: ${output}`);
    await migrate(deployment);
    await caller.upload();
    await rows.add();
  });
  onNewSchema.expectNoFailure();
  const replaced = await callAllTheTime(caller, async () => {
    await deployment.compose('down');
    await up(deployment);
  });
  await rows.goOn();
  await rows.arrived(onNewSchema.events + replaced.events);
  expect((await deployment.containers('proxy')).length === 1, 'there is no proxy');
  return `${onNewSchema.calls} calls of the old processes on the new schema, none failed; then nobody answered for ${(replaced.gapMs / 1000).toFixed(0)} s`;
}

/** With the image of the new release, in the network of the old one, as whoever runs other deployments than ours does. */
async function migrate({ docker, shell }: Deployment): Promise<void> {
  const url = await shell('sh', [
    '-euc',
    '. ./.env; echo "postgres://pos:$DATABASE_PASSWORD@postgres:5432/pos"',
  ]);
  const program = [THIS_RELEASE.image, 'node', 'dist/src/bin/migrate.js'];
  const options = ['--rm', '--network', `${PROJECT}_default`, '--env', `DATABASE_URL=${url}`];
  const { applied } = JSON.parse(await docker('run', ...options, ...program)) as {
    applied: string[];
  };
  expect(applied.length > 0, 'there was nothing to migrate');
}
