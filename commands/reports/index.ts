import { fileReport } from './file.ts';

export { decideFile, MAX_COMMENT } from './file.ts';
export { report, requireFiled, type FiledReport, type Report } from './report.ts';
export { decideResolve, decideResolveAnew, resolveReportsOf, type Actor } from './resolve.ts';
export { ifUnresolved } from './if-unresolved.ts';
export { categoryOf, checkRules } from './rules.ts';

export const reportCommands = [fileReport];
