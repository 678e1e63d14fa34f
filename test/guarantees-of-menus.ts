import type { Guarantee } from './guarantee';
import { VERSION_GUARANTEES } from './guarantees-of-versions';
import { AVAILABILITY_GUARANTEES } from './guarantees-of-availability';

/** The promises about menus besides their upload. */
export const MENU_GUARANTEES: readonly Guarantee[] = [
  ...VERSION_GUARANTEES,
  ...AVAILABILITY_GUARANTEES,
];
