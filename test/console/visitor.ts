export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Somebody who signed in to the console. */
export interface Visitor {
  get(path: string): Promise<Page>;
  /** Sends the form of a page, with its token. */
  send(path: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
}

/** Signs in with this token. */
export async function visit(url: string, token: string): Promise<Visitor> {
  const call = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    fields?: object,
  ): Promise<Page> => {
    const response = await fetch(`${url}${path}`, {
      headers,
      redirect: 'manual',
      ...(fields && { method: 'POST', body: new URLSearchParams({ ...fields }) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const { headers } = await call('/console/sign-in', {}, { token });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const { text } = await call('/console', { cookie });
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return {
    get: (path) => call(path, { cookie }),
    send: (path, fields = {}) => call(path, { cookie }, { ...fields, form_token }),
  };
}
