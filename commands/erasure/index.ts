export { erase, eraseGone } from './erase.ts';
