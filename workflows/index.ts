export { menuPublication } from './menu-publication';
export { sweep } from './sweep';
export { webhookSubscription } from './webhook-subscription';
