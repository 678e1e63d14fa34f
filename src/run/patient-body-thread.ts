import { beNice } from '../platform/threads/be-nice';
import './body-thread';

// Stock events must not wait for a preview's menu to be read.
beNice();
