import { beNice } from '../platform/threads/be-nice';
import { ownMemory, serveThread } from '../platform/threads/serve-thread';
import { carryOutPreview, type PreviewWork } from './preview-task';

// Previews are less urgent than the requests that the process answers.
beNice();
serveThread((work: PreviewWork) => {
  const value = carryOutPreview(work);
  switch (value.kind) {
    case 'previewed':
      return { value, transfer: ownMemory(value.members) };
    case 'written':
      return { value, transfer: ownMemory(value.text) };
    case 'images':
      return { value, transfer: [] };
  }
});
