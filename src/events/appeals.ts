import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { timeAfter } from '../kernel/time.ts';
import { id } from './common.ts';
import { lifting } from './moderation.ts';

/*
 * Appeals against strikes, in the stream of the account that the strike is about: what an appeal undoes is decided at once with it.
 */

/** The maximum length of an appeal and of its answer, as in Mastodon. */
export const MAX_APPEAL = 2_000;

/** Mastodon's. */
const APPEALABLE_FOR = 20 * 86_400_000;

/** The last moment at which a strike can be appealed; both are ISO 8601. */
export const appealableUntil = (struckAt: string): string => timeAfter(struckAt, APPEALABLE_FOR);

/** Strikes from this moment on can be appealed at `now`; both are ISO 8601. */
export const appealableSince = (now: string): string => timeAfter(now, -APPEALABLE_FOR);

/** https://docs.joinmastodon.org/entities/Appeal/#state, and what the person took back. */
export const appealState = z.enum(['pending', 'approved', 'rejected', 'withdrawn']);
export type AppealState = z.infer<typeof appealState>;

/** `account_id` is whom the strike is about, who is also who appeals. */
const appeal = { id, account_id: id, strike_id: id };
const sample = {
  id: '115500000000000040',
  account_id: '109500000000000000',
  strike_id: '115500000000000030',
};
const text = z.string().max(2 * MAX_APPEAL);
const subject = (data: { account_id: string }): string => data.account_id;

export const AppealFiled = defineEvent({
  type: 'AppealFiled',
  version: 1,
  schema: z.object({ ...appeal, text }),
  personal: { subject, erased: { text: '' } },
  samples: { 1: { ...sample, text: 'I advertised nothing: it was my own book.' } },
});

/** The author withdrew the appeal before a decision. The strike cannot be appealed again. */
export const AppealWithdrawn = defineEvent({
  type: 'AppealWithdrawn',
  version: 1,
  schema: z.object(appeal),
  samples: { 1: sample },
});

/** The strike is overruled. `lifted` is how its measure ended, which stands right before; null where that was over, or is for something else. */
export const AppealApproved = defineEvent({
  type: 'AppealApproved',
  version: 1,
  schema: z.object({ ...appeal, note: text, lifted: lifting.nullable() }),
  personal: { subject, erased: { note: '' } },
  samples: { 1: { ...sample, note: 'You are right, sorry.', lifted: 'unsilence' } },
});

/** The strike stays as it is. */
export const AppealRejected = defineEvent({
  type: 'AppealRejected',
  version: 1,
  schema: z.object({ ...appeal, note: text }),
  personal: { subject, erased: { note: '' } },
  samples: { 1: { ...sample, note: '' } },
});

export const appealEvents = [AppealFiled, AppealWithdrawn, AppealApproved, AppealRejected];

export type AppealEvent = EventOf<(typeof appealEvents)[number]>;
