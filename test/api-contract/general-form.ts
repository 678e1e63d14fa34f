/** An answer as received. */
export interface SeenAnswer {
  readonly method: string;
  /** With or without origin and query. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks what holds for every answer; throws an Error that names the answer. */
export function requireGeneralForm(answer: SeenAnswer): void {
  const { method, url, status, headers, text } = answer;
  const complain = (what: string): never => {
    throw new Error(`${method} ${url} answered ${status} ${text.slice(0, 500)}: ${what}`);
  };
  const needs = (name: string, form: RegExp): void => {
    if (!form.test(headers.get(name) ?? '')) complain(`${name} should be like ${form}`);
  };
  needs('x-request-id', /^[\w-]{1,64}$/);
  if (headers.get('x-error-source') === 'pos') return;
  switch (status) {
    case 401:
      needs('www-authenticate', /^Bearer$/);
      needs('content-type', /^text\/plain/);
      if (text !== 'Unauthorized.') complain('it should say no more than Unauthorized.');
      return;
    case 405:
      needs('allow', /^[A-Z]+(, [A-Z]+)*$/);
      break;
    case 429:
      needs('retry-after', /^[1-9]\d*$/);
      break;
  }
  if (headers.has('x-upload-id') || (status === 202 && url.includes('/menus/upload'))) {
    needs('x-upload-id', /^upl_/);
    needs('location', /^\/api\/v1\/menus\/uploads\/upl_/);
  }
  if (status >= 400 && status !== 503 && !isRefusal(answer)) complain('it has an unknown form');
}

function isRefusal({ url, status, headers, text }: SeenAnswer): boolean {
  const type = headers.get('content-type') ?? '';
  // A refusal of the console that a person reads, before they have signed in.
  if (type.startsWith('text/html'))
    return url.includes('/console/') && text.includes('role="alert"');
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) return false;
  if (type.startsWith('application/problem+json')) {
    return (
      'status' in body &&
      body.status === status &&
      'errors' in body &&
      'title' in body &&
      areDetails(body.errors)
    );
  }
  if (!type.startsWith('application/json')) return false;
  if (status === 422) {
    const fields = Object.values(body);
    return fields.length <= 50 && fields.every(isSentences);
  }
  return (
    Object.keys(body).join() === 'message,data' && 'message' in body && isSentences(body.message)
  );
}

/** At most 50 errors, each with its place, and one that counts the others. */
function areDetails(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 51 &&
    value.every((each: Record<string, unknown>) =>
      [each['code'], each['pointer'], each['detail']].every((part) => typeof part === 'string'),
    )
  );
}

/** At most 50 sentences, and one that counts the others. */
function isSentences(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 51 &&
    value.every((each) => typeof each === 'string')
  );
}
