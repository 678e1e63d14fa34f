import { curlCommand } from './curl-command.js';
import { element, prose } from './element.js';

/** A form that sends one request to this server and shows what comes back. `readToken` gives the token at that moment. */
export function tryForm(operation, readToken) {
  const inputs = operation.parameters.map((parameter) => parameterInput(operation, parameter));
  const body = operation.example === undefined ? undefined : bodyInput(operation);
  const problem = element('input', { type: 'checkbox', id: `${operation.id}-problem` });
  const answer = element('section', {
    class: 'answer',
    'aria-live': 'polite',
    'aria-label': 'Answer',
  });
  const send = element('button', { type: 'submit', class: 'send' }, 'Send');
  const copy = element('button', { type: 'button', onclick: copyCurl }, 'Copy as curl');

  const form = element(
    'form',
    {
      class: 'try',
      'aria-label': `Try: ${operation.summary}`,
      onsubmit: (event) => {
        event.preventDefault();
        void run();
      },
      onkeydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
      },
    },
    inputs.length > 0
      ? element(
          'div',
          { class: 'inputs' },
          inputs.map((each) => each.view),
        )
      : undefined,
    body?.view,
    element('label', { class: 'check' }, problem, 'Errors as problem details (RFC 9457)'),
    element('p', { class: 'actions' }, send, copy, body?.tidy),
    answer,
  );
  return form;

  function readRequest() {
    const values = inputs.map((each) => each.read()).filter((each) => each.value !== '');
    const of = (place) => values.filter((each) => each.in === place);
    const path = of('path').reduce(
      (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
      operation.path,
    );
    const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]));
    const url = new URL(path, location.origin);
    url.search = query.toString();
    const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value]));
    if (problem.checked) headers['Accept'] = 'application/problem+json';
    if (operation.needsToken && readToken() !== '')
      headers['Authorization'] = `Bearer ${readToken()}`;
    if (body) headers['Content-Type'] = 'application/json';
    return { method: operation.method, url: url.href, headers, body: body?.read() };
  }

  async function run() {
    send.disabled = true;
    answer.replaceChildren(element('p', {}, 'Waiting for the answer …'));
    const startedAt = performance.now();
    try {
      const { url, ...request } = readRequest();
      const response = await fetch(url, { ...request, cache: 'no-store', credentials: 'omit' });
      const text = await response.text();
      answer.replaceChildren(...answerView(response, text, performance.now() - startedAt));
    } catch (error) {
      answer.replaceChildren(element('p', { class: 'failed' }, `No answer: ${error.message}`));
    } finally {
      send.disabled = false;
    }
  }

  async function copyCurl() {
    const command = curlCommand(readRequest());
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy as curl'), 1500);
    } catch {
      // Browsers give the clipboard to secure origins only.
      answer.replaceChildren(element('pre', { tabindex: '0' }, command));
    }
  }
}

function parameterInput(operation, parameter) {
  const id = `${operation.id}-${parameter.name}`;
  const choices = parameter.schema.enum;
  const input = choices
    ? element(
        'select',
        { id },
        element('option', { value: '' }, 'not sent'),
        choices.map((each) => element('option', { value: each }, String(each))),
      )
    : element('input', {
        id,
        type: 'text',
        autocomplete: 'off',
        spellcheck: 'false',
        required: parameter.required,
        value: parameter.required ? (parameter.example ?? '') : '',
      });
  const fresh =
    parameter.name === 'Idempotency-Key'
      ? element('button', { type: 'button', onclick: () => (input.value = randomKey()) }, 'New key')
      : undefined;
  return {
    view: element(
      'div',
      { class: 'input' },
      element('label', { for: id }, element('code', {}, parameter.name), ` in ${parameter.in}`),
      element('div', { class: 'row' }, input, fresh),
      parameter.description
        ? element('p', { class: 'hint' }, prose(parameter.description))
        : undefined,
    ),
    read: () => ({ in: parameter.in, name: parameter.name, value: input.value }),
  };
}

/** Not `randomUUID`, which is there for secure origins only. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bodyInput(operation) {
  const id = `${operation.id}-body`;
  const text = JSON.stringify(operation.example, null, 2);
  const rows = Math.min(text.split('\n').length + 1, 24);
  const area = element('textarea', { id, rows, spellcheck: 'false', wrap: 'off' });
  area.value = text;
  const note = element('p', { class: 'failed', role: 'status' });
  area.addEventListener('input', () => (note.textContent = ''));
  return {
    view: element('div', { class: 'input' }, element('label', { for: id }, 'Body'), area, note),
    tidy: element('button', { type: 'button', onclick: tidy }, 'Tidy the body'),
    read: () => area.value,
  };

  function tidy() {
    try {
      area.value = JSON.stringify(JSON.parse(area.value), null, 2);
    } catch (error) {
      note.textContent = error.message;
    }
  }
}

function answerView(response, text, ms) {
  const kind = response.ok ? 'good' : 'bad';
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return [
    element(
      'p',
      { class: `status ${kind}` },
      element('strong', {}, `${response.status} ${response.statusText}`),
      ` in ${Math.round(ms)} ms`,
    ),
    element(
      'details',
      {},
      element('summary', {}, 'Headers'),
      element('pre', { tabindex: '0' }, headers),
    ),
    element('pre', { class: 'body', tabindex: '0' }, text === '' ? '(no body)' : tidied(text)),
  ];
}

/** JSON with line breaks; anything else, and JSON with numbers that would lose digits, as it is. */
function tidied(text) {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
