import type { Guarantee } from './guarantee';
import { VERSION_GUARANTEES } from './guarantees-of-versions';
import { AVAILABILITY_GUARANTEES } from './guarantees-of-availability';

/** What the service promises of menus besides their way into the app. */
export const MENU_GUARANTEES: readonly Guarantee[] = [
  ...VERSION_GUARANTEES,
  ...AVAILABILITY_GUARANTEES,
];
