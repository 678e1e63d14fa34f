import { reasonText } from '../reason-text';
import type { FailedEntity, PollOutcome } from '../types';
import { idOf, type JsonObject, objectsOf, readJson, textOf } from './envelope';

/**
 * What the state of an upload task means: `data` of the poll's answer and of the callback, which are alike. Anything
 * that is not a known status is `unknown`, never success.
 */
export function taskOutcome(data: JsonObject): PollOutcome {
  const status = data['status'];
  switch (status) {
    case 0:
      return { kind: 'running', status: 'waiting' };
    case 4:
      return { kind: 'running', status: 'running' };
    case 3:
      // The app retries by itself; a second upload would only queue behind this one.
      return { kind: 'running', status: 'waitRetry' };
    case 1:
    case 5:
      return finished(data, status);
    case 2:
      return { kind: 'rejected', reasons: reasons(data) };
    default:
      return { kind: 'unknown', reason: 'The task has no known status.' };
  }
}

/** A bad image never blocks the menu: the item is live with its former image, or none. */
function finished(data: JsonObject, status: 1 | 5): PollOutcome {
  const { images, entities } = failures(data);
  // A "success" that names refused items is believed about the items; a partial one that names nothing stays partial.
  // An item whose image is bad is not refused, so it is not named among them.
  if (entities.length > 0 || (status === 5 && images.length === 0)) {
    return { kind: 'partly_live', failed: entities };
  }
  return images.length === 0 ? { kind: 'live' } : { kind: 'live', warnings: images };
}

function reasons(data: JsonObject): string[] {
  const { images, entities } = failures(data);
  const named = [...entities, ...images].map(
    ({ externalId, message }) => `${message}, related app_item_id is ${externalId}`,
  );
  const message = reasonText(textOf(data['message']), []);
  if (message !== '') return [message, ...named];
  return named.length > 0 ? named : ['The app gave no reason.'];
}

interface Failures {
  readonly images: readonly FailedEntity[];
  readonly entities: readonly FailedEntity[];
}

function failures(data: JsonObject): Failures {
  const images = new Map<string, FailedEntity>();
  const entities = new Map<string, FailedEntity>();
  const summed = new Map<string, FailedEntity>();
  for (const operation of objectsOf(data['operationList'])) {
    const isSummary = operation['operationType'] === 'uploadTaskDone';
    const isImage = operation['operationType'] === 'imageUrlCheck';
    const found = isSummary ? summed : isImage ? images : entities;
    const entries = isSummary ? summaryEntries(operation) : objectsOf(operation['failedList']);
    for (const failed of entries.map(failedEntity)) found.set(failed.externalId, failed);
  }
  // The last operation sums up: what it repeats is known already, an image's failure stays an image's.
  for (const [id, failed] of summed) {
    if (!images.has(id) && !entities.has(id)) entities.set(id, failed);
  }
  return { images: [...images.values()], entities: [...entities.values()] };
}

/** The summary's list is JSON inside a string, in a field whose name is not published. */
function summaryEntries(operation: JsonObject): JsonObject[] {
  return Object.values(operation).flatMap((value) =>
    objectsOf(typeof value === 'string' && value.startsWith('[') ? readJson(value) : undefined),
  );
}

function failedEntity(entry: JsonObject): FailedEntity {
  // `appItemID` is the POS id. Without it the app's own id or name still lets a person find the entity.
  const externalId = idOf(entry['appItemID']) ?? idOf(entry['itemID']) ?? textOf(entry['itemName']);
  const message = reasonText(textOf(entry['message']), []);
  return { externalId, message: message === '' ? 'The app gave no reason.' : message };
}
