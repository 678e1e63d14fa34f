import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Recorded by `tsx dev/checks/record-histories.ts`; one file a run, named for what happened in it. */
export const HISTORIES_FOLDER = join(__dirname, 'histories');

export interface RecordedHistory {
  readonly name: string;
  /** As `historyToJSON` wrote it. */
  readonly history: { readonly events: readonly Readonly<Record<string, unknown>>[] };
}

export function readHistories(): RecordedHistory[] {
  return readdirSync(HISTORIES_FOLDER)
    .toSorted()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      history: JSON.parse(readFileSync(join(HISTORIES_FOLDER, file), 'utf8')),
    }));
}
