import { beNice } from '../platform/threads/be-nice';
import './body-thread';

// Stock events must not wait for the menu of a preview to be read.
beNice();
