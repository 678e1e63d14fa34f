import { createLog } from '../../src/platform/observe/log';
import {
  catchUnownedRejections,
  countUnownedRejections,
} from '../../src/platform/observe/unowned-rejections';

test('an unhandled rejection is logged and counted, and the process continues', () => {
  const lines: string[] = [];
  const before = process.listeners('unhandledRejection');
  catchUnownedRejections(createLog('error', { write: (line) => void lines.push(line) }));
  const [net] = process.listeners('unhandledRejection').filter((each) => !before.includes(each));
  net?.(new Error('left alone'), Promise.resolve());
  if (net) process.off('unhandledRejection', net);
  expect(countUnownedRejections()).toBe(1);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, err: { message: 'left alone' } });
});
