import type { AppealState } from '#events/appeals.ts';
import type { ReportCategory } from '#events/reports.ts';
import type { Means, MeasureKind } from '#mastodon/transparency.ts';
import { type Decided, type Facts, groundOf } from './facts.ts';

/** A measure, or the end of one. */
export interface Act {
  month: string;
  kind: MeasureKind;
  means: Means;
  strike: string | undefined;
  report: string | undefined;
  appealed: boolean;
  /** A strike or an appeal of the same command joins an act against an account or its post. */
  joins: 'account' | 'status' | undefined;
}
export interface Report {
  filed: string;
  decided: string | undefined;
  category: ReportCategory;
}
interface Appeal {
  filed: string;
  closed: string | undefined;
  account: string;
  strike: string;
  state: AppealState;
}
interface Strike {
  report: string | undefined;
  decided: Decided;
}

/** The facts that the events so far give. */
export interface Log {
  measures: Act[];
  reversals: Act[];
  reports: Map<string, Report>;
  appeals: Map<string, Appeal>;
  strikes: Map<string, Strike>;
  /** Reports that strikes answer. */
  answered: Set<string>;
  /** Strikes about posts, which have the entry instead of the posts. */
  strikesOfPosts: Set<string>;
  /** Acts of one command on one account. */
  together: Map<string, Act[]>;
}

export const emptyLog = (): Log => ({
  measures: [],
  reversals: [],
  reports: new Map(),
  appeals: new Map(),
  strikes: new Map(),
  answered: new Set(),
  strikesOfPosts: new Set(),
  together: new Map(),
});

const seconds = (from: string, until: string): number =>
  Math.floor((Date.parse(until) - Date.parse(from)) / 1_000);

/** Returns the facts, in the form that the read models have. */
export const factsIn = ({ measures, reversals, reports, appeals, strikes, answered }: Log): Facts => ({
  measures: measures.map(({ month, kind, means, strike, report }) => ({
    month,
    kind,
    means,
    reasoned: strike !== undefined,
    count: 1,
    ground: groundOf(report !== undefined, reports.get(report ?? '')?.category),
  })),
  reversals: reversals.map(({ month, kind, means, appealed }) => ({
    month,
    kind,
    means,
    appealed,
    count: 1,
  })),
  reports: [...reports].map(([id, { filed, decided, category }]) => ({
    month: filed.slice(0, '2026-11'.length),
    category,
    with_measure: answered.has(id),
    seconds: decided === undefined ? null : seconds(filed, decided),
    count: 1,
  })),
  appeals: [...appeals.values()].flatMap(({ filed, closed, state, strike }) => {
    const appealed = strikes.get(strike);
    if (!appealed) return [];
    const { report, decided } = appealed;
    const isDecided = closed !== undefined && (state === 'approved' || state === 'rejected');
    return {
      month: filed.slice(0, '2026-11'.length),
      state,
      seconds: isDecided ? seconds(filed, closed) : null,
      ground: groundOf(report !== undefined, reports.get(report ?? '')?.category),
      decided,
      count: 1,
    };
  }),
});
