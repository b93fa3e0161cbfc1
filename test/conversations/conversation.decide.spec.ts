import { expect } from 'chai';
import { conversation } from '#commands/conversations/index.ts';
import { decideRead } from '#commands/conversations/read.ts';
import { decideRemove } from '#commands/conversations/remove.ts';
import { decideUnread } from '#commands/conversations/unread.ts';
import type { ConversationEvent } from '#events/conversations.ts';
import { given } from '../support/given.ts';

const upTo = (up_to_id: string): ConversationEvent['data'] => ({
  conversation_id: '1',
  account_id: '2',
  up_to_id,
});

describe('The state of a conversation for its reader', () => {
  it('is recorded with the id of the last post that the reader saw', () => {
    given(conversation)
      .when(decideRead, upTo('7'))
      .then([{ type: 'ConversationRead', data: upTo('7') }]);
    given(conversation)
      .when(decideRemove, upTo('7'))
      .then([{ type: 'ConversationRemoved', data: upTo('7') }]);
  });

  it('is recorded again when the reader marks it as unread and read in turn', () => {
    const unread = { type: 'ConversationMarkedUnread', data: upTo('7') } as const;
    const read = { type: 'ConversationRead', data: upTo('7') } as const;
    given(conversation).when(decideUnread, upTo('7')).then([unread]);
    given(conversation, unread).when(decideUnread, upTo('7')).then([]);
    given(conversation, read, unread).when(decideRead, upTo('7')).then([read]);
    given(conversation, unread, read).when(decideUnread, upTo('7')).then([unread]);
    const removed = { type: 'ConversationRemoved', data: upTo('7') } as const;
    given(conversation, unread, removed).when(decideUnread, upTo('7')).then([unread]);
  });

  it('is recorded once, until there is a newer post', () => {
    const read = given(conversation, { type: 'ConversationRead', data: upTo('7') });
    read.when(decideRead, upTo('7')).then([]);
    expect(read.when(decideRead, upTo('8')).decided()).to.have.length(1);
    expect(read.when(decideRemove, upTo('7')).decided()).to.have.length(1);
    given(conversation, { type: 'ConversationRemoved', data: upTo('7') })
      .when(decideRemove, upTo('7'))
      .then([]);
  });
});
