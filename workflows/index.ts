export { menuCheck } from './menu-check';
export { menuRollout } from './menu-rollout';
export { menuPublication } from './menu-publication';
export { storeAvailability } from './store-availability';
export { sweepLine } from './sweep-line';
export { webhookLine } from './webhook-line';
