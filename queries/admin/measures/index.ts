import { retrieveMeasures } from './retrieve.ts';

export { humanBytes } from './bytes.ts';
export { figuresEndpoint, keysParameter, MOST_DAYS, subjectKinds } from './figures.ts';
export { dayAfter, dayOrNothing, idsOf, midnight, periodOf, required, type Period } from './period.ts';
export { ofDomain } from './sources.ts';
export { subjectOf, subjectParameters, type SubjectKind } from './subject.ts';

export const adminMeasureQueries = [retrieveMeasures];
