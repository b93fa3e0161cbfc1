export { eraseAgain } from './again.ts';
export { erase, eraseGone } from './erase.ts';
