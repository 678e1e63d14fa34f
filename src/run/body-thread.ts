import { type BodyTask, readBodyTask } from '../http/body/body-task';
import { serveThread } from '../platform/threads/serve-thread';
import { LARGE_BODIES } from './large-bodies';

serveThread((task: BodyTask) => ({ value: readBodyTask(LARGE_BODIES, task), transfer: [] }));
