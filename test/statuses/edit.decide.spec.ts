import { expect } from 'chai';
import { postMedia } from '#commands/statuses/attached-media.ts';
import { decideEdit, type EditFacts, type EditStatus } from '#commands/statuses/edit.ts';
import { decideEditedPoll } from '#commands/statuses/edit-poll.ts';
import { decideQuotePolicy } from '#commands/statuses/interaction-policy.ts';
import { decideRevoke } from '#commands/statuses/revoke-quote.ts';
import { status } from '#commands/statuses/status.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import { StatusCreated, type StatusData, type StatusEvent } from '#events/statuses.ts';
import { given } from '../support/given.ts';

const created = StatusCreated.samples[2] as unknown as StatusData;
const ME = created.account_id;
const NOW = '2026-11-21T09:00:00.000Z';
const picture = (id: string, description: string | null = null): MediaAttachmentData => ({
  id,
  type: 'image',
  file: `${id}.png`,
  preview: `${id}.png`,
  remote_url: null,
  meta: null,
  description,
  blurhash: null,
});
const posted = (data: Partial<StatusData> = {}): StatusEvent => ({
  type: 'StatusCreated',
  data: { ...created, poll: null, ...data },
});
const bob = { id: '2', username: 'bob', acct: 'bob', url: 'https://rookery.example/@bob' };
const noFacts: EditFacts = {
  origin: 'https://rookery.example',
  mentioned: new Map([['bob', bob]]),
  unknown: [],
  awaited: [],
  quotedUrl: undefined,
};
const same = { status: created.text };
const edit = (
  past: readonly StatusEvent[],
  input: EditStatus['input'],
  { accountId = ME, media = [], facts = noFacts }: EditOptions = {},
): StatusEvent[] =>
  given(status, ...past)
    .when(decideEdit, { accountId, editId: '200', pollId: '201', now: NOW, input, media }, facts)
    .decided();
interface EditOptions {
  accountId?: string;
  media?: MediaAttachmentData[];
  facts?: EditFacts;
}
const edited = (...args: Parameters<typeof edit>): StatusData => {
  const event = edit(...args).find(({ type }) => type === 'StatusEdited');
  if (event?.type !== 'StatusEdited') throw new Error('no StatusEdited');
  return event.data;
};

describe('The decision about an edit', () => {
  it('refuses the text of a direct post that mentions no account any longer', () => {
    const direct = posted({ visibility: 'direct', mentions: [bob] });
    expect(() => edit([direct], { status: 'Hello' })).to.throw('must mention at least one account');
    expect(() => edit([direct], { status: '@bob@☃.net' })).to.throw('mentions @bob@☃.net');
    expect(edited([direct], { status: 'Hello @bob' }).mentions).to.deep.equal([bob]);
    const note = posted({ visibility: 'direct', mentions: [] });
    expect(edited([note], { status: 'A better note' }).mentions).to.deep.equal([]);
  });

  it('waits for the accounts of the new text, and no longer for those of the old one', () => {
    const waiting = posted({ text: '@old@far.example', unresolved_mentions: ['acct:old@far.example'] });
    const facts = { ...noFacts, unknown: ['new@far.example'], awaited: ['new@far.example'] };
    const input = { status: '@new@far.example' };
    expect(edited([waiting], input, { facts }).unresolved_mentions).to.deep.equal(['acct:new@far.example']);
    expect(edited([waiting], { status: 'None' }).unresolved_mentions).to.deep.equal([]);
    const same = edited([waiting], { status: '@old@far.example', spoiler_text: 'x' });
    expect(same.unresolved_mentions).to.deep.equal(['acct:old@far.example']);
  });

  it('records the whole post as it is after the edit, and the time of the edit', () => {
    const { poll: _, ...rest } = created;
    expect(edited([posted()], { status: 'Hello @bob #There' })).to.deep.equal({
      ...rest,
      poll: null,
      text: 'Hello @bob #There',
      content: edited([posted()], { status: 'Hello @bob #There' }).content,
      mentions: [bob],
      tags: [{ name: 'There', normal: 'there' }],
      edit_id: '200',
      edited_at: NOW,
    });
  });

  it('keeps an omitted language and clears other omitted fields', () => {
    const past = [
      posted({ spoiler_text: 'careful', sensitive: true, media: [picture('7')], mentions: [bob] }),
    ];
    expect(edited(past, same)).to.deep.include({
      text: created.text,
      content: created.content,
      mentions: [bob],
      language: 'en',
      spoiler_text: '',
      sensitive: false,
      media: [],
      poll: null,
    });
  });

  it('uses a warning without a text as the text, and refuses an empty post', () => {
    const past = [posted({ spoiler_text: 'careful', sensitive: true })];
    for (const status of [undefined, null, ' ']) {
      const changed = edited(past, { status, spoiler_text: 'now @bob' });
      expect(changed).to.deep.include({ text: 'now @bob', spoiler_text: 'careful', sensitive: false });
      expect(changed.mentions).to.deep.equal([bob]);
      expect(() => edit(past, { status })).to.throw("Validation failed: Text can't be blank");
    }
    const quote = { id: '9', account_id: '3', state: 'accepted' } as const;
    const quoting = edited([posted({ quote })], { spoiler_text: 'careful' });
    expect(quoting).to.include({ text: '', spoiler_text: 'careful', sensitive: true });
  });

  it('produces no event when nothing changes', () => {
    expect(edit([posted()], { status: created.text })).to.deep.equal([]);
    expect(edit([posted()], { ...same, language: 'en', spoiler_text: ' ' })).to.deep.equal([]);
    const past = [posted({ media: [picture('7')] })];
    expect(edit(past, same, { media: [picture('7')] })).to.deep.equal([]);
    expect(edited(past, same, { media: [picture('7', 'a rook')] }).media[0]?.description).to.equal('a rook');
  });

  it('compares with the current state of the post', () => {
    const first = edit([posted()], { status: 'first' });
    expect(edited([posted(), ...first], { status: 'first', language: 'de' })).to.include({
      text: 'first',
      language: 'de',
    });
    expect(edit([posted(), ...first], { status: 'first' })).to.deep.equal([]);
  });

  it('requires the author, an existing post, and a text or a substitute for it', () => {
    expect(() => edit([posted()], { status: 'x' }, { accountId: '3' })).to.throw('Record not found');
    expect(() => edit([], { status: 'x' })).to.throw('Record not found');
    const deleted: StatusEvent = {
      type: 'StatusDeleted',
      data: { id: created.id, account_id: ME, visibility: 'public', in_reply_to_id: null },
    };
    expect(() => edit([posted(), deleted], { status: 'x' })).to.throw('Record not found');
    expect(() => edit([posted()], { status: ' ' })).to.throw("Text can't be blank");
    expect(edited([posted()], { status: ' ' }, { media: [picture('7')] }).text).to.equal('');
    const poll = { options: ['a', 'b'], expires_in: 600 };
    expect(() => edit([posted()], { ...same, poll }, { media: [picture('7')] })).to.throw('Cannot attach');
  });

  it('keeps the link to the quoted post until the quote is revoked', () => {
    const quote = { id: '9', account_id: '3', state: 'accepted' } as const;
    const facts = { ...noFacts, quotedUrl: 'https://rookery.example/@bob/9' };
    const past = [posted({ quote })];
    expect(edited(past, { status: 'new' }, { facts }).content).to.contain('quote-inline');
    const revoked = given(status, ...past)
      .when(decideRevoke, { id: '9', account_id: '3' })
      .decided();
    expect(edited([...past, ...revoked], { status: 'new' }, { facts }).content).not.to.contain(
      'quote-inline',
    );
  });

  it('changes the quote policy without an edit, and only for posts open to everyone', () => {
    const said = { ...same, quote_approval_policy: 'nobody' } as const;
    expect(edit([posted()], said).map(({ type }) => type)).to.deep.equal(['QuotePolicyChanged']);
    const both = edit([posted()], { ...said, status: 'x' });
    expect(both.map(({ type }) => type)).to.deep.equal(['QuotePolicyChanged', 'StatusEdited']);
    expect(given(status, posted(), ...both).state).to.have.nested.property('data.quote_policy', 'nobody');
    const hidden = posted({ visibility: 'private', quote_policy: 'nobody' });
    expect(edit([hidden], { ...same, quote_approval_policy: 'public' })).to.deep.equal([]);
    given(status, posted()).when(decideQuotePolicy, ME, 'public').then([]);
  });
});

describe('The decision about the poll of an edit', () => {
  const poll = {
    id: '101',
    options: ['Yes', 'No'],
    multiple: false,
    hide_totals: false,
    expires_at: '2026-11-22T08:00:00.000Z',
  };
  const when = (input: Parameters<typeof decideEditedPoll>[2], given: object = {}, closed = false) =>
    decideEditedPoll({ poll: { ...poll, ...given }, closed }, '201', input, NOW);

  it('keeps the poll while its options stay the same, and lets it end at another time', () => {
    const later = { ...poll, hide_totals: true, expires_at: '2026-11-21T10:00:00.000Z' };
    expect(when({ options: ['Yes ', 'No', ''], hide_totals: true, expires_in: 3_600 })).to.deep.equal(later);
    expect(when({ options: ['Yes', 'No'] })).to.deep.equal(poll);
  });

  it('starts a new poll under the same public id when the options or the number of choices change', () => {
    const anew = { id: '201', public_id: '101' };
    expect(when({ options: ['Yes', 'Maybe'], expires_in: 600 })).to.include(anew);
    expect(when({ options: ['No', 'Yes'], expires_in: 600 })).to.include(anew);
    expect(when({ options: ['Yes', 'No'], multiple: true, expires_in: 600 })).to.include(anew);
    const second = { id: '150', public_id: '101' };
    expect(when({ options: ['Yes', 'Maybe'], expires_in: 600 }, second)).to.include(anew);
    expect(when({ options: ['Yes', 'No'], expires_in: 600 }, second)).to.include(second);
    expect(() => when({ options: ['Yes', 'Maybe'] })).to.throw("Deadline can't be blank");
    expect(
      decideEditedPoll({ poll: null, closed: false }, '201', { options: ['a', 'b'], expires_in: 600 }, NOW)
        .id,
    ).to.equal('201');
  });

  it('keeps an ended poll ended', () => {
    const past = '2026-11-21T08:30:00.000Z';
    expect(when({ options: ['Yes', 'No'], expires_in: 600 }, { expires_at: past }).expires_at).to.equal(past);
    expect(when({ options: ['Yes', 'No'], expires_in: 600 }, {}, true).expires_at).to.equal(poll.expires_at);
    expect(() => when({ options: ['Yes', 'No'], expires_in: 1 })).to.throw('too soon');
  });
});

describe('The decision about the revocation of a quote', () => {
  const quote = { id: '9', account_id: '3', state: 'accepted' } as const;
  const quoted = { id: '9', account_id: '3' };

  it('revokes a quote once, and only a quote of that post', () => {
    const past = [posted({ quote })];
    const revoked = given(status, ...past)
      .when(decideRevoke, quoted)
      .decided();
    expect(revoked).to.deep.equal([
      {
        type: 'QuoteRevoked',
        data: { id: created.id, account_id: ME, quoted_id: '9', quoted_account_id: '3' },
      },
    ]);
    given(status, ...past, ...revoked)
      .when(decideRevoke, quoted)
      .then([]);
    given(status, ...past)
      .when(decideRevoke, { ...quoted, id: '8' })
      .thenRefuses('not_found', /Record not found/);
    given(status, posted())
      .when(decideRevoke, quoted)
      .thenRefuses('not_found', /Record not found/);
    expect(() => decideRevoke(status.initialState, quoted)).to.throw('Record not found');
  });
});

describe('The uploads of a post', () => {
  it('are recorded together with those that each edit removed', () => {
    const first = posted({ media: [picture('7'), picture('8')] });
    const next = edit([first], {}, { media: [picture('8'), picture('9')] });
    expect(given(postMedia, first, ...next).state).to.deep.equal({
      accountId: ME,
      deleted: false,
      now: ['8', '9'],
      dropped: new Map([['200', ['7']]]),
    });
  });
});
