import { UPLOAD_ID } from './examples';

/** Of single items. */
export const MENU_CHANGES = {
  store_id: 1,
  items: [{ external_id: 'I1', price: { value: '15900' } }],
  options: [{ modifier_group_external_id: 'G1', item_external_id: 'I2', price: { value: '1700' } }],
};

export const MENU_CHANGE_OUTCOME = {
  upload_id: UPLOAD_ID,
  integration_id: '2',
  state: 'uploaded',
  way: 'items',
  waiting_for: null,
  messages: [],
};
