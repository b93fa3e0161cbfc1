import { liftMarksOf, sealRemoved } from '../../commands/admin-statuses/index.ts';
import { AppealApproved } from '../events/appeals.ts';
import { StatusRemoved } from '../events/statuses.ts';
import { reactor } from '../kernel/reactor.ts';

/** Seals the media of posts that staff removed, also after a crash. */
export const removedMedia = reactor({
  name: 'removed-media',
  on: [StatusRemoved],
  react: (ctx, { data: { id, strike_id } }) => sealRemoved(ctx, { id, strikeId: strike_id }),
});

/** Ends what an overruled strike marked as sensitive. */
export const overruledMarks = reactor({
  name: 'overruled-marks',
  on: [AppealApproved],
  react: (ctx, { data: { account_id, strike_id } }) => liftMarksOf(ctx, account_id, strike_id),
});
