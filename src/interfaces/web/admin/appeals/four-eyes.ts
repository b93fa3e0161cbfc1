import { stateBadge } from '#interfaces/web/design/data-table.ts';
import type { Html } from '#interfaces/web/design/html.ts';
import type { AdminAppeal } from '#mastodon/schemas/index.ts';

/** The rule that the API enforces. */
export const fourEyes =
  'Four eyes: an appeal is decided by somebody else than the member of staff who imposed the strike, unless nobody else may decide it.';

/** The states of appeals, in the order of their tabs. */
export const APPEAL_STATES = {
  pending: ['Undecided', 'busy'],
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'bad'],
  withdrawn: ['Withdrawn', undefined],
} as const;

export const appealState = ({ state }: Pick<AdminAppeal, 'state'>): Html => {
  const [text, look] = APPEAL_STATES[state];
  return stateBadge(text, look);
};
