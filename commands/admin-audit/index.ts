export { recordExport } from './export.ts';
