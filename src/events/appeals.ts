import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { timeAfter } from '#kernel/time.ts';
import { id } from './common.ts';
import { lifting } from './moderation.ts';

/*
 * Appeals against strikes. They share the stream of the account with the strike, so that an appeal and the
 * action that it undoes are one decision.
 */

/** The maximum length of an appeal and of its answer, as in Mastodon. */
export const MAX_APPEAL = 2_000;

/** As in Mastodon. */
const APPEALABLE_FOR = 20 * 86_400_000;

/** Returns the last moment at which a strike can be appealed; both are ISO 8601. */
export const appealableUntil = (struckAt: string): string => timeAfter(struckAt, APPEALABLE_FOR);

/** Returns the earliest time of strikes that can be appealed at `now`; both are ISO 8601. */
export const appealableSince = (now: string): string => timeAfter(now, -APPEALABLE_FOR);

/** https://docs.joinmastodon.org/entities/Appeal/#state, and `withdrawn` by the author. */
export const appealState = z.enum(['pending', 'approved', 'rejected', 'withdrawn']);
export type AppealState = z.infer<typeof appealState>;

/** `account_id` is the account that the strike concerns and that appeals. */
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

/**
 * The strike is overruled. `lifted` names the event right before that ended its action; null when the action
 * was over already or is needed for another strike.
 */
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
