import { AppError } from '../platform/errors';
import { isId, type UploadId } from '../platform/ids';
import type { Refusal } from '../contract/answers';

export const UPLOAD_MISSING: Refusal = {
  status: 404,
  when: 'It is unknown, or its store belongs to another user.',
  sentences: ['The upload was not found.'],
};

/** Another user's upload is as unknown as one that does not exist. */
export function uploadNotFound(): AppError {
  return new AppError('not_found', 'The upload was not found.');
}

/** The id of the upload named in a path; throws the 404 if it is malformed. */
export function requireUploadId(text: string): UploadId {
  if (isId('upl', text)) return text;
  throw uploadNotFound();
}
