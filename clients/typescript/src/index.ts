export { ApiError } from './api-error';
export type { Answer, CallInput, ListItem, OperationId, Schemas } from './call-types';
export {
  type Client,
  type ClientOptions,
  createClient,
  UploadNotEndedError,
  type WaitOptions,
} from './client';
export { OPERATIONS } from './operations';
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  WebhookNotVerifiedError,
} from './verify-webhook';
