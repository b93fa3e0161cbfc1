/** The measures of a transparency report, with the restriction that each is by the Digital Services Act. */
export const MEASURE_KINDS = [
  'warning',
  'post_sensitive',
  'post_deletion',
  'account_sensitive',
  'account_limit',
  'account_freeze',
  'account_suspension',
  'server_block',
] as const;
export type MeasureKind = (typeof MEASURE_KINDS)[number];

/**
 * Restrictions by Article 17(1) of the Digital Services Act (https://eur-lex.europa.eu/eli/reg/2022/2065/oj): of the
 * visibility of content (a), of the service (c), of the account (d). No measure restricts payments (b). A warning
 * restricts nothing, and a block of a server is a decision about no user of this one.
 */
export const RESTRICTIONS = ['visibility', 'service', 'account', 'none', 'server'] as const;
export type Restriction = (typeof RESTRICTIONS)[number];

export const RESTRICTION_OF: Readonly<Record<MeasureKind, Restriction>> = {
  warning: 'none',
  post_sensitive: 'visibility',
  post_deletion: 'visibility',
  account_sensitive: 'visibility',
  account_limit: 'visibility',
  account_freeze: 'service',
  account_suspension: 'account',
  server_block: 'server',
};

/** The category of the report that a measure answers, or `own_initiative` without a report. */
export const GROUNDS = ['legal', 'violation', 'spam', 'other', 'own_initiative'] as const;
export type Ground = (typeof GROUNDS)[number];

/** By people, by an automation without people, or by another server. */
export const MEANS = ['hand', 'automated', 'remote'] as const;
export type Means = (typeof MEANS)[number];

/**
 * The groups whose decisions are appealed: those of a role, of the operator, of automations, and small ones together.
 */
export const DECIDING_GROUPS = ['role', 'operator', 'automation', 'merged'] as const;
export type DecidingGroup = (typeof DECIDING_GROUPS)[number];

/** A line about appeals stands for at least as many, so that it singles out no person; smaller ones are merged. */
export const SMALLEST_LINE = 5;

export const PERIODS = ['month', 'quarter', 'year'] as const;
export type PeriodKind = (typeof PERIODS)[number];
