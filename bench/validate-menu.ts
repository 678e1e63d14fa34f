import { cpus } from 'node:os';
import { menuUploadSchema } from '../schemas/menu-upload';
import { checkMenu } from '../src/menus/rules/check-menu';
import { createValidator } from '../src/platform/validation/validation';
import { sizedMenu } from '../test/support/sized-menu';
import { median } from './rig/quantile';

/*
 * What checking a menu costs, as a share of what parsing it costs: a ratio holds on other machines too.
 * Every check gets a freshly parsed body, as in a request, so no string has been hashed before.
 */

const SIZES = [210, 630, 4000, 10_000];
const RUNS = 5;
const SEED = 20_261_101;
/** Bytes parsed per run, so that small menus are measured over many rounds. */
const BYTES_PER_RUN = 12_000_000;

const checkShape = createValidator(menuUploadSchema);

interface Measured {
  readonly parse: number;
  readonly check: number;
}

function measure(text: string, rounds: number): Measured {
  let parse = 0;
  let check = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const body: unknown = JSON.parse(text);
    const parsed = performance.now();
    const shape = checkShape(body);
    if (!shape.ok) throw new Error('The generated menu has the wrong shape.');
    const verdict = checkMenu(shape.value, { equalQuantities: 'refuse' });
    if (!verdict.ok)
      throw new Error(`The generated menu is wrong: ${verdict.problems.sentences[0]}`);
    check += performance.now() - parsed;
    parse += parsed - start;
  }
  return { parse: parse / rounds, check: check / rounds };
}

function row(entities: number) {
  const text = JSON.stringify({ store_id: '1', integration_id: '1', ...sizedMenu(entities, SEED) });
  const bytes = Buffer.byteLength(text);
  const rounds = Math.ceil(BYTES_PER_RUN / bytes);
  measure(text, rounds);
  const runs = Array.from({ length: RUNS }, () => measure(text, rounds));
  return {
    entities,
    KB: Math.round(bytes / 1024),
    'JSON.parse ms': median(runs.map(({ parse }) => parse)).toFixed(2),
    'check ms': median(runs.map(({ check }) => check)).toFixed(2),
    'check / parse': median(runs.map(({ parse, check }) => check / parse)).toFixed(2),
  };
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
console.log(`Shape and inner rules of a valid menu; median of ${RUNS} runs, seed ${SEED}.`);
console.table(SIZES.map(row));
