export { countQuota, distinct } from './count.ts';
export { executeWithin, type Quota } from './execute.ts';
