import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage now, as V8 does at times of its own. */
export const collectGarbage = runInNewContext('gc') as () => void;
