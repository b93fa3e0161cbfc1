import type { AppealState } from '#events/appeals.ts';
import type { ReportCategory } from '#events/reports.ts';
import type { Actor, AuditAction, AuditActor } from '#mastodon/audit-log.ts';
import type { DecidingGroup, Ground, Means, MeasureKind } from '#mastodon/transparency.ts';

/*
 * A transparency report counts facts. The read models and an export of the log give the same facts, and `report.ts`
 * makes the report of them.
 */

interface Counted {
  /** `2026-11`, in UTC. */
  month: string;
  /** Equal facts may be one with a number. */
  count: number;
}

export interface MeasureFact extends Counted {
  kind: MeasureKind;
  ground: Ground;
  means: Means;
  /** The user got a strike with the reasons. */
  reasoned: boolean;
}

export interface ReversalFact extends Counted {
  kind: MeasureKind;
  means: Means;
  appealed: boolean;
}

/** A report or an appeal counts in the month in which it was filed; `seconds` is the time to its decision. */
interface DecidedFact extends Counted {
  seconds: number | null;
}

export interface ReportFact extends DecidedFact {
  category: ReportCategory;
  with_measure: boolean;
}

export interface AppealFact extends DecidedFact {
  state: AppealState;
  ground: Ground;
  decided: Decided;
}

/** The group that made an appealed decision. */
export interface Decided {
  group: Exclude<DecidingGroup, 'merged'>;
  role: string | null;
  /** Tells people apart and is in no report; null for an automation, which is no person. */
  by: string | null;
}

export interface Facts {
  measures: readonly MeasureFact[];
  reversals: readonly ReversalFact[];
  reports: readonly ReportFact[];
  appeals: readonly AppealFact[];
}

/** The actions of the audit log that are measures. */
export const MEASURE_OF: Partial<Record<AuditAction, MeasureKind>> = {
  'account.warned': 'warning',
  'account.sensitized': 'account_sensitive',
  'account.silenced': 'account_limit',
  'account.disabled': 'account_freeze',
  'account.suspended': 'account_suspension',
  'status.sensitized': 'post_sensitive',
  'status.deleted': 'post_deletion',
  'domain_block.created': 'server_block',
};

/** The actions that end one. */
export const REVERSAL_OF: Partial<Record<AuditAction, MeasureKind>> = {
  'account.unsensitized': 'account_sensitive',
  'account.unsilenced': 'account_limit',
  'account.enabled': 'account_freeze',
  'account.unsuspended': 'account_suspension',
  'status.unsensitized': 'post_sensitive',
  'domain_block.deleted': 'server_block',
};

/** Returns the ground of a measure: the category of the report that it answers. */
export const groundOf = (reported: boolean, category: ReportCategory | null | undefined): Ground =>
  reported ? (category ?? 'other') : 'own_initiative';

/** Returns the group of an actor. The operator counts as one person. */
export function decidedBy({ kind, id, role }: Pick<Actor, 'kind' | 'id' | 'role'>): Decided {
  if (kind === 'user') return { group: 'role', role, by: id };
  return kind === 'operator'
    ? { group: 'operator', role: null, by: 'operator' }
    : { group: 'automation', role: null, by: null };
}

/** The operator at the command line is a person too. */
export const meansOf = (actor: AuditActor): Means =>
  actor === 'automation' ? 'automated' : actor === 'remote' ? 'remote' : 'hand';
