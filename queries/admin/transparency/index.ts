import { z } from 'zod';
import { exportTransparencyReport, showTransparencyReport, transparencyParameters } from './endpoints.ts';

export { transparencyCsv } from './csv.ts';
export { storedReport } from './endpoints.ts';
export { factsOfLog, REPORTED_TYPES } from './fold.ts';
export { rangeOf } from './periods.ts';
export { transparencyReport } from './report.ts';

export const transparencyQuery = z.object(transparencyParameters);

export const adminTransparencyQueries = [showTransparencyReport, exportTransparencyReport];
