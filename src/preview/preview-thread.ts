import { beNice } from '../platform/threads/be-nice';
import { freeMemory } from '../platform/threads/free-memory';
import { ownMemory, serveThread } from '../platform/threads/serve-thread';
import { carryOutPreview, type PreviewWork } from './preview-task';

// Previews are less urgent than the requests that the process answers.
beNice();
serveThread((work: PreviewWork) => {
  const value = carryOutPreview(work);
  freeMemory(textsOf(work));
  switch (value.kind) {
    case 'previewed':
      return { value, transfer: value.members.flatMap(ownMemory) };
    case 'written':
      return { value, transfer: ownMemory(value.text) };
    case 'images':
      return { value, transfer: [] };
  }
});

/** The texts that the work has read. Nothing needs them any more: what is kept of them was parsed. */
function textsOf(work: PreviewWork): readonly Uint8Array[] {
  switch (work.kind) {
    case 'preview':
      return work.live ? [work.text, work.live.text] : [work.text];
    case 'images':
      return [work.text];
    case 'shown':
      return [work.payload, work.menu];
    case 'changes':
      return work.before ? [work.before, work.after] : [work.after];
  }
}
