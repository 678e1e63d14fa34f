import { nullableText, record, text } from './answers';

/* What a search has found. */

export const Found = record({
  kind: {
    type: 'string',
    enum: ['store', 'upload', 'delivery', 'rollout', 'inventory_system', 'item'],
  },
  id: { ...text, description: 'Of an item its external id.' },
  title: { ...text, description: 'What it is called, for people.' },
  state: { ...nullableText, description: 'Null for what has no states.' },
  url: { ...text, description: 'The path where the API has it.' },
});

export const FOUND_EXAMPLE = {
  kind: 'store',
  id: '1',
  title: 'Café Central',
  state: null,
  url: '/api/v1/store/1',
};
