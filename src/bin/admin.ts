import { runAdmin } from '../admin/run-admin';

runAdmin(process.argv, process.env).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
