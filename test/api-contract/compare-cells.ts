import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CELLS } from './cells';
import { CELLS_DIRECTORY } from './record-answer';

interface CellReport {
  /** Cells of the table that no answer belonged to. */
  readonly missing: readonly string[];
  /** Answers that the table does not know. */
  readonly unknown: readonly string[];
}

/** Compares the notes of the run's test files with the table. */
export function compareCells(): CellReport {
  const directory = process.env[CELLS_DIRECTORY];
  if (!directory) throw new Error(`${CELLS_DIRECTORY} is not set`);
  const seen = new Set(
    readdirSync(directory).flatMap((name) =>
      readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean),
    ),
  );
  const patterns = [...CELLS].filter(isPattern).map((each) => ({ each, pattern: toPattern(each) }));
  const reached = new Set<string>();
  const unknown: string[] = [];
  for (const each of seen) {
    const cell = CELLS.has(each) ? each : patterns.find(({ pattern }) => pattern.test(each))?.each;
    if (cell !== undefined) reached.add(cell);
    else if (!isPassedThrough(each) && !isOfFullProcess(each)) unknown.push(each);
  }
  return { missing: [...CELLS].filter((each) => !reached.has(each)), unknown };
}

function isPattern(cell: string): boolean {
  return cell.includes('VALUE');
}

function toPattern(cell: string): RegExp {
  const parts = cell.split('VALUE').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** A POS may answer whatever it likes. */
function isPassedThrough(cell: string): boolean {
  return cell.endsWith('X-Error-Source: pos');
}

/**
 * Any request may meet a full process (docs/api.md). The table has this answer only where `busy.test.ts` can
 * fill the process for each endpoint: where there is a body.
 */
function isOfFullProcess(cell: string): boolean {
  return cell.endsWith(' | 503 | The service is busy.');
}
