import { generateAnnualReport } from './generate.ts';
import { readAnnualReport } from './read.ts';

export { GENERATE_REPORT, makeAnnualReport } from './generate.ts';

export const annualReportCommands = [generateAnnualReport, readAnnualReport];
