import { element, paragraphs, prose } from './element.js';
import { operationCard } from './operation-card.js';

const TOKEN_KEY = 'pos-integrations-token';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const [tokenInput, tokenShown, search, found, index, introduction, groups] = [
  'token',
  'token-shown',
  'search',
  'found',
  'index',
  'introduction',
  'groups',
].map((id) => document.getElementById(id));

void start();

async function start() {
  keepToken();
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`status ${response.status}`);
    render(await response.json());
  } catch (error) {
    groups.replaceChildren(
      element(
        'p',
        { class: 'failed', role: 'alert' },
        `openapi.json cannot be read: ${error.message}`,
      ),
    );
  }
}

/** In the storage of this tab, which ends with it: a token in the other one would stay on a borrowed machine. */
function keepToken() {
  tokenInput.value = sessionStorage.getItem(TOKEN_KEY) ?? '';
  tokenInput.addEventListener('input', () => sessionStorage.setItem(TOKEN_KEY, readToken()));
  tokenShown.addEventListener('click', () => {
    const shown = tokenInput.type === 'password';
    tokenInput.type = shown ? 'text' : 'password';
    tokenShown.textContent = shown ? 'Hide' : 'Show';
    tokenShown.setAttribute('aria-pressed', String(shown));
  });
}

/** Pasted tokens like to come with blanks, or with the scheme in front. */
function readToken() {
  return tokenInput.value.trim().replace(/^bearer\s+/i, '');
}

function render(api) {
  const lookUp = (reference) =>
    reference
      .split('/')
      .slice(1)
      .reduce((part, key) => part[key], api);
  introduction.replaceChildren(...paragraphs(api.info.description));
  const operations = listOperations(api, lookUp);
  const sections = api.tags.map((tag) => groupSection(tag, operations, lookUp));
  groups.replaceChildren(...sections.map((each) => each.section));
  index.replaceChildren(...sections.map((each) => each.index));
  search.addEventListener('input', () => filter(operations));
  addEventListener('hashchange', openTarget);
  openTarget();
}

function groupSection({ name, description }, operations, lookUp) {
  const own = operations.filter((each) => each.group === name);
  const headingId = `group-${name.toLowerCase().replaceAll(' ', '-')}`;
  for (const operation of own) {
    operation.card = operationCard(operation, lookUp, readToken);
    operation.link = element(
      'li',
      {},
      element('a', { href: `#${operation.id}` }, operation.summary),
    );
  }
  return {
    section: element(
      'section',
      { class: 'group', 'aria-labelledby': headingId },
      element('h2', { id: headingId }, name),
      element('p', {}, prose(description)),
      own.map((each) => each.card),
    ),
    index: element(
      'section',
      { class: 'index-group' },
      element('h2', {}, name),
      element(
        'ul',
        {},
        own.map((each) => each.link),
      ),
    ),
  };
}

/** What the page needs of each operation, with the references of its parameters and answers followed. */
function listOperations(api, lookUp) {
  const follow = (value) => (value.$ref ? lookUp(value.$ref) : value);
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const operation = methods[method];
      const body = operation.requestBody?.content['application/json'];
      const schemes = operation.security.flatMap((each) => Object.keys(each));
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        group: operation.tags[0],
        summary: operation.summary,
        description: operation.description,
        permission: operation['x-permission'],
        needsToken: schemes.includes('bearer'),
        canTry: schemes.every((each) => each === 'bearer'),
        parameters: (operation.parameters ?? []).map(follow),
        bodySchema: body?.schema,
        bodyDescription: operation.requestBody?.description,
        example: body?.example,
        answers: Object.entries(operation.responses).map(([status, response]) =>
          readAnswer(status, follow(response)),
        ),
        searchable: JSON.stringify([path, operation, body && follow(body.schema)]).toLowerCase(),
      };
    }),
  );
}

function readAnswer(status, { description, content = {} }) {
  const [[mediaType, { schema, examples = {} }] = ['', {}]] = Object.entries(content);
  return {
    status,
    description,
    mediaType,
    schema,
    examples: Object.values(examples).map((each) => each.value),
  };
}

function filter(operations) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const operation of operations) {
    const matches = words.every((word) => operation.searchable.includes(word));
    operation.card.hidden = !matches;
    operation.link.hidden = !matches;
    if (matches) count += 1;
  }
  for (const group of document.querySelectorAll('.group, .index-group')) {
    group.hidden = !group.querySelector('.operation:not([hidden]), li:not([hidden])');
  }
  found.textContent = words.length === 0 ? '' : `${count} of ${operations.length}`;
}

/** Opens what the address names, so that a link leads to an open endpoint. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
  target.querySelector('summary').focus({ preventScroll: true });
}
