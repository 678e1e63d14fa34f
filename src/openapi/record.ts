import type { JsonSchema } from './answers';

/** Every field is always there: what is not known is null. */
export function record(
  properties: Readonly<Record<string, JsonSchema>>,
  description?: string,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    ...(description === undefined ? {} : { description }),
  };
}
