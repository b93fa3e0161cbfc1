export { federationAllowed } from './allowed.ts';
