import { DELIVERY_WITH_ATTEMPTS, SYSTEM_ID } from './examples';

/** A stock movement as its own answer shows it. */
export const DELIVERY_WITH_PAYLOAD = {
  ...DELIVERY_WITH_ATTEMPTS,
  payload_url: null,
  payload: {
    now: '2026-11-21T12:40:37.000Z',
    inventory_system_id: SYSTEM_ID,
    external_id: 'I1',
    current_stock: '17',
    quantity: '1',
    date: '2026-11-21T12:40:30Z',
    movement_type: 2,
    store_id: 'S-77',
  },
};
