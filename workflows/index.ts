export { driftCheck } from './drift-check';
export { menuRollout } from './menu-rollout';
export { menuPublication } from './menu-publication';
export { storeAvailability } from './store-availability';
export { sweepLine } from './sweep';
export { webhookShard } from './webhook-shard';
