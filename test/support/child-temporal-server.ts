/** Starts Temporal with the directory and port given, prints its pid, and stays until it is killed. */
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { startTemporal } from '../../dev/temporal/temporal-server';

async function main(): Promise<void> {
  const [directory = '', port] = process.argv.slice(2);
  const binary = await findTemporalBinary(() => {});
  const temporal = await startTemporal({ binary, directory, port: Number(port), uiPort: null });
  process.stdout.write(`${temporal.pid}\n`);
  setInterval(() => {}, 60_000);
}

void main();
