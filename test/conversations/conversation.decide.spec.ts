import { expect } from 'chai';
import { conversation } from '../../commands/conversations/index.ts';
import { decideRead } from '../../commands/conversations/read.ts';
import { decideRemove } from '../../commands/conversations/remove.ts';
import { decideUnread } from '../../commands/conversations/unread.ts';
import type { ConversationEvent } from '../../src/events/conversations.ts';
import { fold } from '../../src/kernel/decider.ts';

const upTo = (up_to_id: string): ConversationEvent['data'] => ({
  conversation_id: '1',
  account_id: '2',
  up_to_id,
});
const after = (...events: ConversationEvent[]) => fold(conversation, events);

describe('The state of a conversation for its reader', () => {
  it('is recorded with the id of the last post that the reader saw', () => {
    expect(decideRead(after(), upTo('7'))).to.deep.equal([{ type: 'ConversationRead', data: upTo('7') }]);
    expect(decideRemove(after(), upTo('7'))).to.deep.equal([
      { type: 'ConversationRemoved', data: upTo('7') },
    ]);
  });

  it('is recorded again when the reader marks it as unread and read in turn', () => {
    const unread = { type: 'ConversationMarkedUnread', data: upTo('7') } as const;
    const read = { type: 'ConversationRead', data: upTo('7') } as const;
    expect(decideUnread(after(), upTo('7'))).to.deep.equal([unread]);
    expect(decideUnread(after(unread), upTo('7'))).to.deep.equal([]);
    expect(decideRead(after(read, unread), upTo('7'))).to.deep.equal([read]);
    expect(decideUnread(after(unread, read), upTo('7'))).to.deep.equal([unread]);
    const removed = { type: 'ConversationRemoved', data: upTo('7') } as const;
    expect(decideUnread(after(unread, removed), upTo('7'))).to.deep.equal([unread]);
  });

  it('is recorded once, until there is a newer post', () => {
    const read = after({ type: 'ConversationRead', data: upTo('7') });
    expect(decideRead(read, upTo('7'))).to.deep.equal([]);
    expect(decideRead(read, upTo('8'))).to.have.length(1);
    expect(decideRemove(read, upTo('7'))).to.have.length(1);
    expect(decideRemove(after({ type: 'ConversationRemoved', data: upTo('7') }), upTo('7'))).to.deep.equal(
      [],
    );
  });
});
