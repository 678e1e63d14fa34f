import { runAdmin } from '../admin/run-admin';

void runAdmin(process.argv, process.env).then((status) => {
  process.exitCode = status;
});
