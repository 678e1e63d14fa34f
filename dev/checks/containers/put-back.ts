import { findFreePort } from '../../processes/free-port';
import type { Deployment } from './deployment';

/** Faults that docker-compose.yml once had; with one of them put back, `npm run containers` must fail. */
export const FAULTS: Readonly<Record<string, (deployment: Deployment) => Promise<void>>> = {
  /** A fixed port of the APIs: only one of them can have it. */
  async scale({ edit }) {
    const port = await findFreePort();
    await edit('docker-compose.yml', (text) =>
      text.replace('    stop_grace_period: 20s\n', `$&    ports: ['127.0.0.1:${port}:3000']\n`),
    );
  },
  /** Files of the clone, which only the owner of the clone may read. */
  umask: ({ edit }) =>
    edit('docker-compose.yml', (text) =>
      text.replace("volumes: ['config:/etc/pos:ro']", "volumes: ['./ops/compose:/etc/pos:ro']"),
    ),
  /** The proxy is not trusted: every caller has its address. */
  proxy: ({ edit }) =>
    edit('docker-compose.yml', (text) =>
      text.replace(/TRUSTED_PROXIES: \S+/, "TRUSTED_PROXIES: ''"),
    ),
};
