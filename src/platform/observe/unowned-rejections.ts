import type { Log } from './log';

let count = 0;

/** How many rejections were not handled anywhere since this process started. Each is a defect. */
export function countUnownedRejections(): number {
  return count;
}

/**
 * The last safety net: an unhandled rejection is logged and counted, and the process continues. Work in progress is
 * stored as rows in Postgres and workflows in Temporal, which survive a defect, whereas a process that exits
 * interrupts everybody's work. An exception outside of promises still ends the process, because its state is then
 * unknown.
 */
export function catchUnownedRejections(log: Log): void {
  process.on('unhandledRejection', (reason: unknown) => {
    count += 1;
    log.error({ err: reason }, 'an unhandled rejection was caught');
  });
}
