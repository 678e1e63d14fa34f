/** The same request for a shell; the token stays out of it, and so out of the shell's history. */
export function curlCommand({ method, url, headers, body }) {
  const parts = [`curl -i ${quote(url)}`];
  if (method !== 'GET' && body === undefined) parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) {
    parts.push(
      name === 'Authorization'
        ? '-H "Authorization: Bearer $TOKEN"'
        : `-H ${quote(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) parts.push(`--data ${quote(body)}`);
  return parts.join(' \\\n  ');
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
