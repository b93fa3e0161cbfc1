export { beginImport, type ImportInput } from './begin.ts';
export { failuresCsv, failuresOf } from './failures.ts';
export { isOtherKind } from './kind.ts';
export { parseImport, type ParsedImport } from './parse.ts';
export { recordDataExport, recordDataImport } from './record.ts';
export { continueImport, IMPORT_JOB } from './work.ts';
