const OPENING_BRACE = 0x7b;

/**
 * The request body: App C wants its token inside the JSON, where no kept payload may have it. The token goes in front of
 * the payload's bytes, which are not parsed again. Throws `RangeError` when the payload is no JSON object with a field.
 */
export function withToken(payload: Buffer, token: string): Buffer {
  // Room for one field and its value is what a payload has at least: `{"a":1}`.
  if (payload[0] !== OPENING_BRACE || payload.length < 7) {
    throw new RangeError('The payload of App C must be a JSON object.');
  }
  return Buffer.concat([
    Buffer.from(`{"auth_token":${JSON.stringify(token)},`),
    payload.subarray(1),
  ]);
}
