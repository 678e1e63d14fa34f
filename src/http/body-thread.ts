import { serveThread } from '../threads/serve-thread';
import { type BodyTask, readBodyTask } from './body-task';

serveThread((task: BodyTask) => ({ value: readBodyTask(task), transfer: [] }));
