export { countQuota, distinct } from './count.ts';
export { executeWithinQuota, type Quota } from './execute.ts';
