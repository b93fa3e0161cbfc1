export { checkAddressees, checkHandles } from './addressees.ts';
export { meetNamed, type Named } from './meet.ts';
