import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { StatusCreated } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { statusSearch } from '#projections/status-search/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ONE = '115500000000000000';
const TWO = '115500000000000002';
const THREE = '115500000000000004';
const sample = StatusCreated.samples[2] as unknown as { poll: object; account_id: string };
const newcomer = { ...(AccountCreated.samples[2] as unknown as object), indexable: true };

const created = (id: string, change: object = {}): DomainEvent => ({
  type: 'StatusCreated',
  data: { ...sample, id, poll: null, media: [], ...change },
});
const edited = (id: string, change: object): DomainEvent => ({
  type: 'StatusEdited',
  data: {
    ...sample,
    id,
    poll: null,
    media: [],
    ...change,
    edit_id: '9',
    edited_at: '2026-11-21T08:05:00.000Z',
  },
});
const deleted = (id: string): DomainEvent => ({
  type: 'StatusDeleted',
  data: { id, account_id: '109500000000000000', visibility: 'public', in_reply_to_id: null },
});

describe('The read model for searching statuses', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const wordsOf = async (...events: DomainEvent[]): Promise<unknown[]> =>
    ((await project(db, statusSearch, events))['status_search'] ?? []).map(({ words }) => words);

  it('contains the words and properties of the present version of each post, wherever batches are cut', async () => {
    const words = await wordsOf(
      created(ONE, { content: '<p>Old words</p>' }),
      created(TWO, { content: '<p>Gone</p>' }),
      edited(ONE, { content: '<p>New Wörds, new &amp; 東京</p>', language: null, sensitive: true }),
      deleted(TWO),
    );
    expect(words).to.deep.equal([' @by=109500000000000000 @is=sensitive new words new 東京 京 ']);
  });

  it('opens the public posts of discoverable accounts while they are discoverable', async () => {
    const author = sample.account_id;
    const says = (indexable?: boolean): DomainEvent => ({
      type: 'AccountUpdated',
      data: { id: author, ...(indexable === undefined ? { display_name: 'A' } : { indexable }) },
    });
    const openAfter = async (...events: DomainEvent[]): Promise<unknown[]> => {
      const rows = (await project(db, statusSearch, events))['status_search'] ?? [];
      return [ONE, TWO, THREE].flatMap((id) =>
        rows.filter(({ status_id }) => status_id === id).map(({ open }) => open),
      );
    };
    const unlisted = created(TWO, { visibility: 'unlisted' });
    const other = created(THREE, { account_id: '7' });

    expect(await openAfter(created(ONE), unlisted, other)).to.deep.equal([false, false, false]);
    expect(await openAfter(says(true), created(ONE), unlisted, other)).to.deep.equal([true, false, false]);
    expect(await openAfter(created(ONE), unlisted, other, says(true), says())).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(await openAfter(says(true), created(ONE), says(false), unlisted)).to.deep.equal([false, false]);
    expect(await openAfter(says(true), says(false), says(true), created(ONE))).to.deep.equal([true]);
    expect(
      await openAfter({ type: 'AccountCreated', data: { ...newcomer, id: author } }, created(ONE)),
    ).to.deep.equal([true]);
  });

  it('contains no word of an author whose key is destroyed', async () => {
    const poll = { ...sample.poll, options: ['Secret'] };
    const media = [{ id: '1', type: 'image', description: 'secret' }];
    const secret = { content: '<p>secret</p>', spoiler_text: 'secret', poll, media };
    const erased = StatusCreated.personal?.erased ?? {};
    const [before] = await wordsOf(created(ONE, secret));
    expect(before).to.contain(' secret ').and.contain(' @has=image ');
    const [after] = await wordsOf(created(ONE, { ...secret, ...erased }));
    expect(after).to.equal(' @by=109500000000000000 @language=en ');
  });

  it('accepts whatever other servers send', async () => {
    const content = `<p>it's \\ 'quoted' ${'x'.repeat(300)} \u{1F426} a:b & | ! ( ) <-> ${'word '.repeat(5_000)}</p>`;
    const language = "x'y\\";
    const [words] = await wordsOf(created(ONE, { content, language }));
    expect(words).to.match(/^ @by=\d+ @language=x @language=x-y it s quoted x{100} a b (word )+$/);
    expect(words).to.have.length.below(20_100);
    const bare = created(ONE, { content: '', language: '--', mentions: [{ id: '7' }] });
    expect(await wordsOf(bare)).to.deep.equal([' @by=109500000000000000 ']);
  });
});
