export { instanceSettings } from './settings.ts';
