export { menuPublication } from './menu-publication';
export { sweep } from './sweep';
export { webhookLine } from './webhook-line';
