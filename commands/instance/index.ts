export { changeSettings } from './settings.ts';
