import { ownMemory, serveThread } from '../../platform/threads/serve-thread';
import { carryOut, type MenuTask } from './menu-tasks';

serveThread((task: MenuTask) => {
  const value = carryOut(task);
  const transfer =
    value.kind === 'prepared'
      ? [...ownMemory(value.payload), ...ownMemory(value.document.contentGzip)]
      : [];
  return { value, transfer };
});
