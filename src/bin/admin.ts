import { runAdmin } from '../admin/run-admin';
import { dropWhenReaderIsGone } from '../platform/observe/broken-pipe';

dropWhenReaderIsGone(process.stdout, process.stderr);
runAdmin(process.argv, process.env).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
