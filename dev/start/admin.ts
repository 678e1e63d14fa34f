import { runAdmin } from '../../src/admin/run-admin';
import { completeEnvironment } from './environment';

/** The admin command on a laptop: it finds the database that `npm start` runs. */
completeEnvironment(process.env)
  .then((env) => runAdmin(process.argv, env))
  .then(
    (status) => (process.exitCode = status),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    },
  );
