const OPENING_BRACE = 0x7b;

/**
 * The request body: App C requires its token inside the JSON, but a stored payload must not contain it. The token is
 * put in front of the payload's bytes, which are not parsed again. Throws `RangeError` if the payload is not a JSON
 * object with at least one field.
 */
export function withToken(payload: Buffer, token: string): Buffer {
  // The shortest payload has one field and its value: `{"a":1}`.
  if (payload[0] !== OPENING_BRACE || payload.length < 7) {
    throw new RangeError('The payload of App C must be a JSON object.');
  }
  return Buffer.concat([
    Buffer.from(`{"auth_token":${JSON.stringify(token)},`),
    payload.subarray(1),
  ]);
}
