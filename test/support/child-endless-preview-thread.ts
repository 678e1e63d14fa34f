import { carryOutPreview, type PreviewWork } from '../../src/preview/preview-task';
import { serveThread } from '../../src/platform/threads/serve-thread';

/** The threads that make previews, in which a menu of this name is never done. */
serveThread((work: PreviewWork) => {
  if ('text' in work && Buffer.from(work.text).includes('"ENDLESS"')) for (;;);
  return { value: carryOutPreview(work), transfer: [] };
});
