import { serveThread } from '../../src/platform/threads/serve-thread';

/** The script of a test's thread. */
export type ScriptedTask =
  | { readonly kind: 'double'; readonly number: number }
  | { readonly kind: 'environment' }
  | { readonly kind: 'throw' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'hog' };

serveThread((task: ScriptedTask) => ({ value: doAsTold(task), transfer: [] }));

function doAsTold(task: ScriptedTask): unknown {
  switch (task.kind) {
    case 'double':
      return task.number * 2;
    case 'environment':
      return { ...process.env };
    case 'throw':
      throw new RangeError('scripted');
    case 'exit':
      return process.exit(3);
    case 'hang':
      for (;;);
    case 'hog':
      return hog();
  }
}

function hog(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => n + kept.length));
}
