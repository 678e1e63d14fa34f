import { element, paragraphs, prose } from './element.js';
import { fieldRow, schemaView } from './schema-view.js';
import { tryForm } from './try-form.js';

/** One endpoint, folded until it is wanted. */
export function operationCard(operation, lookUp, readToken) {
  const filled = () => card.children.length > 1;
  const card = element(
    'details',
    {
      class: 'operation',
      id: operation.id,
      // Made when it is opened: twenty-five of them at once would be slow to make and slower to read.
      ontoggle: () => {
        if (card.open && !filled()) card.append(cardContent(operation, lookUp, readToken));
      },
    },
    element(
      'summary',
      {},
      element('span', { class: `method ${operation.method.toLowerCase()}` }, operation.method),
      element('code', { class: 'path' }, breakable(operation.path)),
      element('span', { class: 'summary' }, operation.summary),
    ),
  );
  return card;
}

/** A path that may break behind each slash. */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, element('wbr')]);
}

function cardContent(operation, lookUp, readToken) {
  return element(
    'div',
    { class: 'inside' },
    operation.description ? paragraphs(operation.description) : undefined,
    element('p', { class: 'access' }, accessOf(operation)),
    parameterTable(operation, lookUp),
    bodySection(operation, lookUp),
    element('h4', {}, 'Answers'),
    element(
      'div',
      { class: 'answers' },
      operation.answers.map((each) => answerRow(each, lookUp)),
    ),
    operation.canTry ? element('h4', {}, 'Try it') : undefined,
    operation.canTry ? tryForm(operation, readToken) : undefined,
  );
}

function accessOf({ needsToken, permission, canTry }) {
  if (permission)
    return ['Needs a token with the permission ', element('code', {}, permission), '.'];
  if (needsToken) return 'Needs a token.';
  return canTry ? 'Needs no token.' : 'Signed by the delivery app, not to be called by others.';
}

function parameterTable({ parameters }, lookUp) {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((each) =>
    fieldRow(each.name, notesOn(each), { ...each.schema, description: each.description }, lookUp),
  );
  return element(
    'div',
    {},
    element('h4', {}, 'Parameters'),
    element(
      'div',
      { class: 'scroll' },
      element('table', { class: 'fields' }, element('tbody', {}, rows)),
    ),
  );
}

function notesOn({ in: place, required }) {
  return [place, ...(required ? ['required'] : [])];
}

function bodySection({ bodySchema, bodyDescription }, lookUp) {
  if (!bodySchema) return undefined;
  return element(
    'div',
    {},
    element('h4', {}, 'Body'),
    element('p', {}, bodyDescription),
    schemaView(bodySchema, lookUp),
  );
}

function answerRow({ status, description, mediaType, schema, examples }, lookUp) {
  const sentences = examples.flatMap(sentencesOf);
  return element(
    'details',
    { class: `answer-row status-${String(status)[0]}` },
    element(
      'summary',
      {},
      element('strong', {}, status === 'default' ? 'any' : status),
      ' ',
      element('span', {}, prose(description)),
    ),
    sentences.length > 0
      ? element('ul', { class: 'sentences' }, sentences)
      : examples.map((each) => element('pre', { tabindex: '0' }, shown(each))),
    schema && mediaType === 'application/json' && sentences.length === 0
      ? schemaView(schema, lookUp)
      : undefined,
  );
}

function shown(example) {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

/** What a refusal says: its sentences, with the field where they are about one. */
function sentencesOf(example) {
  if (Array.isArray(example.message)) {
    return example.message.map((text) => element('li', {}, text));
  }
  const entries = Object.entries(example);
  if (typeof example === 'string' || !entries.every(([, value]) => isSentenceList(value)))
    return [];
  return entries.flatMap(([field, list]) =>
    list.map((text) => element('li', {}, element('code', {}, field), ' ', text)),
  );
}

function isSentenceList(value) {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
  );
}
