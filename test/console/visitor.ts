export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A signed-in user of the console. */
export interface Visitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends the form of a page, with its token. */
  send(path: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
  /** The same of a form with files. */
  sendForm(path: string, form: FormData): Promise<Page>;
}

/** Signs in with this token. */
export async function visit(url: string, token: string): Promise<Visitor> {
  const call = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: URLSearchParams | FormData,
  ): Promise<Page> => {
    const response = await fetch(`${url}${path}`, {
      headers,
      redirect: 'manual',
      ...(body && { method: 'POST', body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const { headers } = await call('/console/sign-in', {}, new URLSearchParams({ token }));
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const { text } = await call('/console', { cookie });
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return {
    get: (path, others = {}) => call(path, { cookie, ...others }),
    send: (path, fields = {}) =>
      call(path, { cookie }, new URLSearchParams({ ...fields, form_token })),
    sendForm(path, form) {
      form.set('form_token', form_token);
      return call(path, { cookie }, form);
    },
  };
}
