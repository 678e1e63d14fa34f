import { carryOut, type MenuTask } from '../../src/menus/menu-tasks';
import { serveThread } from '../../src/threads/serve-thread';

/** The threads that prepare menus, in which a menu of this name is never done. */
serveThread((task: MenuTask) => {
  if (Buffer.from(task.text).includes('"ENDLESS"')) for (;;);
  return { value: carryOut(task), transfer: [] };
});
