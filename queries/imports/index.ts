export { surplusMembers, surplusOf, type Surplus } from './surplus.ts';
