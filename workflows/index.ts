export { menuPublication } from './menu-publication';
export { sweep } from './sweep';
