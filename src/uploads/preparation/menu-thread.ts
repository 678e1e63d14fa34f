import { ownMemory, serveThread } from '../../platform/threads/serve-thread';
import { carryOut, type MenuTask, type MenuTaskResult } from './menu-tasks';

serveThread((task: MenuTask) => {
  const value = carryOut(task);
  return { value, transfer: bytesOf(value).flatMap(ownMemory) };
});

/** What is moved to the other side rather than copied. */
function bytesOf(result: MenuTaskResult): readonly Uint8Array[] {
  if (result.kind === 'prepared') return [result.payload, result.document.contentGzip];
  return result.kind === 'off_sale' ? [result.payload] : [];
}
