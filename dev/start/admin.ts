import { runAdmin } from '../../src/admin/run-admin';
import { dropWhenReaderIsGone } from '../../src/platform/observe/broken-pipe';
import { completeEnvironment, dataDirectory } from './environment';

dropWhenReaderIsGone(process.stdout, process.stderr);

/** The admin command on a laptop: it finds the database that `npm start` runs. */
completeEnvironment(process.env)
  .then((env) => runAdmin(process.argv, env, { unconfigured: unconfigured(env) }))
  .then(
    (status) => (process.exitCode = status),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    },
  );

function unconfigured(env: Parameters<typeof dataDirectory>[0]): string {
  return `npm start has not run yet with its state in ${dataDirectory(env)}: run it first, or set DATABASE_URL and the other settings of your own servers.`;
}
