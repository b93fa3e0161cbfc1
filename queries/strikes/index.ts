import { listStrikes, showStrike } from './own.ts';

export { REPORTED_VERSIONS, strikeStatuses, versionsOf, type NamedStatuses } from './evidence.ts';
export { strikeOf } from './facts.ts';
export { groundsOf } from './grounds.ts';
export { listStrikes, showStrike };
export { STRIKES, strikeText, warningJson, type StrikeRow } from './strike.ts';

export const strikeQueries = [listStrikes, showStrike];
