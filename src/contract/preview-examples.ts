import { UPLOAD, UPLOAD_ID } from './examples';

/** For App B, which has no promotions. */
export const PREVIEW_RESULT = {
  integration_id: '2',
  app: 'app-b',
  acceptable: true,
  messages: [],
  losses: UPLOAD.losses,
  counts: { menus: 1, categories: 2, items: 4, modifier_groups: 1, options: 2, images: 1 },
  payload_bytes: 1_420,
};

export const SHOWN = {
  menus: [
    {
      identifier: 'M1',
      name: 'Main',
      description: null,
      hours: [{ day: 'monday', periods: [{ start: '09:00', end: '15:00' }] }],
      categories: [{ external_id: 'C1', name: 'Pizza', description: null, items: ['I1'] }],
    },
  ],
  items: [
    {
      external_id: 'I1',
      name: 'Margherita',
      description: null,
      image_url: null,
      price: '1030',
      promotion_price: null,
      prices_by_menu: [],
      hours: null,
      available: true,
      modifier_groups: [],
    },
  ],
  modifier_groups: [],
};

export const CHANGES = {
  against: UPLOAD_ID,
  counts: { added: 0, removed: 0, changed: 1 },
  changes: [
    {
      op: 'changed',
      kind: 'item',
      external_id: 'I1',
      field: 'price.value',
      before: '1030',
      after: '1130',
    },
  ],
};
export const CHANGE_LINES = 'changed item I1: price.value "1030" -> "1130"\n';
