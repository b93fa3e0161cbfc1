import { defineEvent, type EventOf } from '../kernel/event.ts';
import { aboutUser } from './common.ts';

/*
 * The end of a person here. In the stream of the account; a sign-up that staff turned down (`UserRejected`) ends in the same way.
 */

/** Staff or the operator erased the account. It is gone for good, and its name stays taken. */
export const AccountErased = defineEvent({ ...aboutUser('AccountErased'), type: 'AccountErased' });

/**
 * The key of the person is destroyed, and what others could see of the account was taken back by events of its own. From here on
 * read models hold nothing that the person wrote: what the log still gives is the erased form.
 */
export const PersonalDataErased = defineEvent({
  ...aboutUser('PersonalDataErased'),
  type: 'PersonalDataErased',
});

export const erasureEvents = [AccountErased, PersonalDataErased];

export type ErasureEvent = EventOf<(typeof erasureEvents)[number]>;
