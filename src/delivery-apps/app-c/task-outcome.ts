import { reasonText } from '../reason-text';
import type { FailedEntity, PollOutcome } from '../app-client';
import { idOf, type JsonObject, objectsOf, readJson, textOf } from './envelope';
import { errnoWords, isAboutNoItem } from './refusal-reasons';

/**
 * The meaning of an upload task's state: `data` of a poll's answer or of a callback, which have the same form. Any
 * unknown status is `unknown`, never a success.
 */
export function taskOutcome(data: JsonObject): PollOutcome {
  const status = data['status'];
  switch (status) {
    case 0:
      return { kind: 'running', status: 'waiting' };
    case 4:
      return { kind: 'running', status: 'running' };
    case 3:
      // The app retries by itself, and a second upload would only queue behind this one.
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

/** A bad image never blocks the menu: the item is live with its previous image, or none. */
function finished(data: JsonObject, status: 1 | 5): PollOutcome {
  const { warnings, entities } = failures(data);
  // A success that names refused items is partial; a partial result that names nothing stays partial. An item with a
  // bad image is not refused, so it is not listed here.
  if (entities.length > 0 || (status === 5 && warnings.length === 0)) {
    return { kind: 'partly_live', failed: entities };
  }
  return warnings.length === 0 ? { kind: 'live' } : { kind: 'live', warnings };
}

function reasons(data: JsonObject): string[] {
  const { warnings, entities } = failures(data);
  const named = [...entities, ...warnings].map(({ externalId, message }) =>
    externalId === '' ? message : `${message}, related app_item_id is ${externalId}`,
  );
  const message = reasonText(textOf(data['message']), []);
  if (message !== '') return [message, ...named];
  return named.length > 0 ? named : [NO_REASON];
}

interface Failures {
  /** Entities that are shown, but with a problem: a bad image, or a note. */
  readonly warnings: readonly FailedEntity[];
  readonly entities: readonly FailedEntity[];
}

interface Failure extends FailedEntity {
  readonly isWarning: boolean;
}

const NO_REASON = 'The app gave no reason.';
const NO_ITEM = { isNoItem: true } as const;
const IMAGE_OPERATIONS: ReadonlySet<unknown> = new Set(['imageUrlCheck', 'imageUpdate']);
/** The operation that says what was refused, and why, for the whole task. */
const LAST_OPERATION = 'uploadTaskDone';
/** Numbers that are notes and refuse nothing. */
const NOTES: ReadonlySet<unknown> = new Set([100_201, 100_202]);

/**
 * Every entity that an operation names as failed, once. The text of the last operation wins, because the others often
 * say only `update err`. It refuses the entity, unless it is a note or only repeats what an image operation says: App C
 * documents no other warnings.
 */
function failures(data: JsonObject): Failures {
  const found = new Map<string, Failure>();
  const operations = objectsOf(data['operationList']);
  for (const operation of operations.filter((each) => !isLast(each))) {
    const isWarning = IMAGE_OPERATIONS.has(operation['operationType']);
    for (const failed of objectsOf(operation['failedList']).map(failedEntity)) {
      const known = found.get(keyOf(failed));
      if (known && !known.isWarning && isWarning) continue;
      found.set(keyOf(failed), { ...failed, isWarning });
    }
  }
  const done = new Map(found);
  const refused = new Map<string, string>();
  for (const last of operations.filter(isLast).flatMap(lastWords)) {
    const entity = ofKnownKind(last, done);
    const key = keyOf(entity);
    const earlier = done.get(key);
    const isWarning = entity.isWarning
      ? earlier?.isWarning !== false
      : earlier?.isWarning === true && isRepeat(earlier, entity);
    const before = refused.get(key);
    // A note about an entity does not undo its refusal.
    if (isWarning && before !== undefined) continue;
    const message = joined(before, entity.message);
    if (!isWarning) refused.set(key, message);
    found.set(key, { ...entity, message, isWarning });
  }
  const all = [...found.values()];
  return {
    warnings: all.filter((each) => each.isWarning).map(withoutFlag),
    entities: all.filter((each) => !each.isWarning).map(withoutFlag),
  };
}

/** Whether an operation says only what another one has said. */
function isRepeat(earlier: Failure, { message }: Failure): boolean {
  return message !== NO_REASON && message === earlier.message;
}

/** Of the last operation's words most fit any kind of entity: then another operation may have named its kind. */
function ofKnownKind(last: Failure, done: ReadonlyMap<string, Failure>): Failure {
  if (last.isNoItem || done.has(keyOf(last))) return last;
  const other: Failure = { ...last, isNoItem: true };
  return done.has(keyOf(other)) ? other : last;
}

/**
 * A category and an item may have the same id. Entities that the app names by nothing are told apart by what it says.
 */
function keyOf({ externalId, message, isNoItem }: FailedEntity): string {
  return JSON.stringify(externalId === '' ? [message] : [externalId, isNoItem === true]);
}

/** Both reasons for which an entity is refused. */
function joined(before: string | undefined, message: string): string {
  return before === undefined || before === message
    ? message
    : reasonText(`${before}; ${message}`, []);
}

function isLast(operation: JsonObject): boolean {
  return operation['operationType'] === LAST_OPERATION;
}

function withoutFlag({ externalId, message, isNoItem }: Failure): FailedEntity {
  return { externalId, message, ...(isNoItem && NO_ITEM) };
}

/**
 * The last operation's list is JSON text in the message of its first failure; any other text is the reason itself.
 */
function lastWords(operation: JsonObject): Failure[] {
  return objectsOf(operation['failedList']).flatMap((entry) => {
    const list = readJson(textOf(entry['message']));
    if (!Array.isArray(list)) return [{ ...failedEntity(entry), isWarning: false }];
    return objectsOf(list).map(refusal);
  });
}

function refusal({ errno, name, id, val, limit }: JsonObject): Failure {
  const externalId = idOf(id);
  const details = { value: wordOf(val), limit: wordOf(limit) };
  const said = Object.entries(details).filter(([, word]) => word !== '');
  const words = [errnoWords(errno), ...said.map(([label, word]) => `${label} ${word}`)].join(', ');
  return {
    externalId: externalId ?? nameOf(name),
    message: reasonText(words, []),
    ...((externalId === undefined || isAboutNoItem(errno)) && NO_ITEM),
    isWarning: NOTES.has(errno),
  };
}

function wordOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function failedEntity(entry: JsonObject): FailedEntity {
  // The POS id is in a field named after the kind of entity. Without it, the app's own id or name helps to find the
  // entity.
  const itemId = idOf(entry['appItemID']);
  const otherId = (): string =>
    idOf(entry['appCateID']) ??
    idOf(entry['appMenuID']) ??
    ownId(entry['itemID']) ??
    nameOf(entry['itemName']);
  const message = reasonText(textOf(entry['message']), []);
  return {
    externalId: itemId ?? otherId(),
    message: message === '' ? NO_REASON : message,
    ...(itemId === undefined && NO_ITEM),
  };
}

/** The app's own id; 0 stands for none. */
function ownId(value: unknown): string | undefined {
  return value === 0 ? undefined : idOf(value);
}

/** Unlike an id, a name may have any character and length, and Postgres refuses some. */
function nameOf(value: unknown): string {
  return reasonText(textOf(value), []);
}
