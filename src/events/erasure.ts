import { defineEvent, type EventOf } from '#kernel/event.ts';
import { aboutUser } from './common.ts';

/*
 * The end of a user on this server, in the stream of the account. A sign-up that staff rejected
 * (`UserRejected`) ends in the same way.
 */

/** Staff or the operator erased the account. It is gone for good, and its name stays taken. */
export const AccountErased = defineEvent({ ...aboutUser('AccountErased'), type: 'AccountErased' });

/**
 * The key of the user is destroyed, and events of their own took back everything public of the account. From
 * here on read models hold nothing that the user wrote: the log only returns the erased form.
 */
export const PersonalDataErased = defineEvent({
  ...aboutUser('PersonalDataErased'),
  type: 'PersonalDataErased',
});

export const erasureEvents = [AccountErased, PersonalDataErased];

export type ErasureEvent = EventOf<(typeof erasureEvents)[number]>;
