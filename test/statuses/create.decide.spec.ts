import { expect } from 'chai';
import type { PostStatus } from '#commands/statuses/compose.ts';
import { decideCreate } from '#commands/statuses/create.ts';
import { decideDelete } from '#commands/statuses/delete.ts';
import { status } from '#commands/statuses/status.ts';
import type { PostingFacts } from '#queries/statuses/index.ts';
import { given } from '../support/given.ts';

const bob = { id: '2', username: 'bob', acct: 'bob', url: 'https://rookery.example/@bob' };
const facts: PostingFacts = {
  defaults: { privacy: 'unlisted', sensitive: false, language: 'de', quote_policy: 'public' },
  application: null,
  parent: null,
  quoted: null,
  mentioned: new Map([['bob', bob]]),
  unknown: [],
};
const when = (
  input: PostStatus['input'],
  given: Partial<PostingFacts & { awaited: readonly string[] }> = {},
) =>
  decideCreate(
    {
      id: '100',
      pollId: '101',
      media: [],
      now: '2026-11-21T08:00:00.000Z',
      account: { id: '1', username: 'alice' },
      origin: 'https://rookery.example',
      application: null,
      input,
    },
    { ...facts, ...given },
  );
const created = (...args: Parameters<typeof when>) => {
  const [event] = when(...args);
  if (event?.type !== 'StatusCreated') throw new Error('no StatusCreated');
  return event.data;
};

describe('The decision about a new status', () => {
  it('takes omitted fields from the settings of the author', () => {
    expect(created({ status: 'Hallo' })).to.include({
      visibility: 'unlisted',
      language: 'de',
      sensitive: false,
    });
    const said = created({ status: 'x', visibility: 'public', language: 'en-US', sensitive: true });
    expect(said).to.include({ visibility: 'public', language: 'en', sensitive: true });
  });

  it('uses a warning without a text as the text, and marks the post as sensitive', () => {
    expect(created({ spoiler_text: 'only @bob #this' })).to.deep.include({
      text: 'only @bob #this',
      spoiler_text: '',
      sensitive: true,
      mentions: [bob],
      tags: [{ name: 'this', normal: 'this' }],
    });
    expect(created({ status: 'x', spoiler_text: 'careful' })).to.include({ sensitive: true });
  });

  it('keeps the warning of a quote without a text', () => {
    const quoted: PostingFacts['quoted'] = {
      id: '9',
      account_id: '3',
      url: 'https://rookery.example/@carol/9',
      visibility: 'public',
      allowed: true,
      local: true,
    };
    const said = { spoiler_text: 'only this', quoted_status_id: '9', visibility: 'public' } as const;
    expect(created(said, { quoted })).to.include({ text: '', spoiler_text: 'only this', sensitive: true });
  });

  it('counts a link as 23 characters and limits text and warning to 500 together', () => {
    const link = `https://example.org/${'a'.repeat(400)}`;
    expect(created({ status: `${'x'.repeat(476)} ${link}` }).text).to.contain(link);
    expect(() => when({ status: `${'x'.repeat(477)} ${link}` })).to.throw('character limit of 500');
    expect(() => when({ status: 'x'.repeat(400), spoiler_text: 'y'.repeat(101) })).to.throw('limit');
  });

  it('records each mentioned account and hashtag once, hashtags with their normal form', () => {
    const { mentions, tags } = created({ status: '@bob @Bob @nobody #Café #cafe' });
    expect(mentions).to.deep.equal([bob]);
    expect(tags).to.deep.equal([{ name: 'Café', normal: 'cafe' }]);
  });

  it('refuses a direct post whose text looks like a handle and names no account, in the words of its author', () => {
    for (const host of ['☃.net', '-x.example', '[2001:db8::1]', 'bob@x.example']) {
      const status = `@bob, and @bob@${host}`;
      const refused = `mentions @bob@${host}, which is not the handle`;
      expect(() => when({ status, visibility: 'direct' })).to.throw(refused);
      expect(created({ status, visibility: 'private' }).mentions).to.deep.equal([bob]);
    }
  });

  it('refuses a direct post to an account that was not found, and says when its server does not answer', () => {
    const direct = { status: '@bob @New@Far.example psst', visibility: 'direct' as const };
    const unknown = ['new@far.example'];
    expect(() => when(direct, { unknown })).to.throw('mentions @New@Far.example, which was not found');
    const late = { unknown, awaited: unknown };
    expect(() => when(direct, late)).to.throw('mentions @New@Far.example, whose server does not answer');
    expect(created({ ...direct, visibility: 'public' }, late).unresolved_mentions).to.deep.equal([
      'acct:new@far.example',
    ]);
  });

  it('refuses a direct post that mentions no account, and takes unknown local names beside one', () => {
    const note = { status: 'only for me', visibility: 'direct' as const };
    expect(() => when(note)).to.throw('must mention at least one account');
    const unknown = ['media'];
    for (const given of [{ unknown }, { unknown: [], mentioned: new Map() }]) {
      const alone = { ...note, status: '@Media' };
      expect(() => when(alone, given)).to.throw('mentions @Media, which was not found');
    }
    expect(created({ ...note, status: '@bob use @media' }, { unknown }).mentions).to.deep.equal([bob]);
  });

  it('waits for no account beside `allowed_mentions`', () => {
    const facts = { unknown: ['new@far.example'], awaited: ['new@far.example'] };
    const input = { status: '@new@far.example', visibility: 'public' as const };
    expect(created({ ...input, allowed_mentions: [] }, facts)).to.not.have.property('unresolved_mentions');
  });

  it('refuses a reply to a missing post', () => {
    expect(() => when({ status: 'x', in_reply_to_id: '7' })).to.throw('does not appear to exist');
    const parent = { id: '7', account_id: '3', in_reply_to_account_id: null, conversation_id: '6' };
    const answer = created({ status: 'x', in_reply_to_id: '7' }, { parent });
    expect(answer).to.include({ in_reply_to_id: '7', in_reply_to_account_id: '3', conversation_id: '6' });
  });
});

describe('The decision about a deletion', () => {
  const posted = when({ status: 'x' });

  it('lets the author delete the post once', () => {
    const state = given(status, ...posted);
    const deleted = state.when(decideDelete, '1').decided();
    expect(deleted.map(({ type }) => type)).to.deep.equal(['StatusDeleted']);
    given(status, ...posted, ...deleted)
      .when(decideDelete, '1')
      .thenRefuses('not_found', /Record not found/);
  });

  it('tells other accounts that the post does not exist', () => {
    given(status, ...posted)
      .when(decideDelete, '2')
      .thenRefuses('not_found', /Record not found/);
    expect(() => decideDelete(status.initialState, '1')).to.throw('Record not found');
  });
});
