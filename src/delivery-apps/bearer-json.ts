/** Headers of a request with a JSON body to an app that takes bearer tokens. */
export function bearerJson(token: string): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
}
