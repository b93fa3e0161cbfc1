import { listDomainAllows, showDomainAllow } from './list.ts';

export { domainAllowOf } from './list.ts';

export const adminDomainAllowQueries = [listDomainAllows, showDomainAllow];
