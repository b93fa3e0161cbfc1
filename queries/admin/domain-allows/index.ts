import { listDomainAllows, showDomainAllow } from './list.ts';

export { domainAllowOf, domainAllowsAbove } from './list.ts';

export const adminDomainAllowQueries = [listDomainAllows, showDomainAllow];
