import { requireCells } from '../contract-cells/missing-cells';
import './global-setup';

/** What Jest tells of the run. */
interface RunConfig {
  /** Those given on the command line. */
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
  readonly shard?: object;
}

export default async function globalTeardown(run: RunConfig): Promise<void> {
  const { testPathPatterns, testNamePattern, onlyChanged, shard } = run;
  const isWhole =
    testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged && !shard;
  try {
    requireCells(isWhole);
  } finally {
    await globalThis.stopTestServers?.();
  }
}
