export { eraseAgain } from './again.ts';
export { erase } from './erase.ts';
export { endFollows, takeBackPosts } from './take-back.ts';
