import { carryOut, type MenuTask } from '../../src/uploads/preparation/menu-tasks';
import { serveThread } from '../../src/platform/threads/serve-thread';

/** The threads that prepare menus, in which a menu of this name is never done. */
serveThread((task: MenuTask) => {
  if (Buffer.from(task.text).includes('"ENDLESS"')) for (;;);
  return { value: carryOut(task), transfer: [] };
});
