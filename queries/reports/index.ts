export { heldAsEvidence } from './evidence.ts';
export { flaggedStatuses, reportedStatuses, type Reported } from './facts.ts';
export { REPORT_COLUMNS, reportFacts, reportText, reportTexts, type ReportColumns } from './report.ts';
export { citedRules, type CitedRules } from './rules.ts';
export { goneTarget, mediaInEvidence, reportAbout, reportSubject, unresolvedReports } from './unresolved.ts';
