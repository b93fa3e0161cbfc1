import { listStrikes, showStrike } from './own.ts';

export { strikeOf } from './facts.ts';
export { STRIKES, strikeText, warningJson, type StrikeRow } from './strike.ts';

export const strikeQueries = [listStrikes, showStrike];
