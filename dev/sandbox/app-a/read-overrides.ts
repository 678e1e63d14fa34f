import { refuse } from './broken-rule';
import { readFields, readOneOf, readOptionalList, readString, type Fields } from './read-fields';

const CONTEXT_TYPES = ['MENU', 'ITEM', 'MODIFIER_GROUP'] as const;

/** The context in which something else holds than usual. */
export interface SentOverride {
  readonly contextType: (typeof CONTEXT_TYPES)[number];
  readonly contextValue: string;
}

/** Reads `overrides`, refusing a repeated context: the app cannot know which one is meant. */
export function readOverrides<T>(
  value: unknown,
  where: string,
  readRest: (fields: Fields) => T,
): readonly (SentOverride & T)[] {
  const seen = new Set<string>();
  return readOptionalList(value, `${where}.overrides`).map((entry, index) => {
    const at = `${where}.overrides[${index}]`;
    const fields = readFields(entry, at);
    const contextType = readOneOf(fields['context_type'], CONTEXT_TYPES, `${at}.context_type`);
    const contextValue = readString(fields['context_value'], `${at}.context_value`);
    const context = `${contextType} ${contextValue}`;
    if (seen.has(context)) refuse(`Repeated Override: ${where} ${context}`);
    seen.add(context);
    return { contextType, contextValue, ...readRest(fields) };
  });
}
