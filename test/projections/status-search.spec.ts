import { expect } from 'chai';
import { statusSearch } from '../../projections/status-search.ts';
import { StatusCreated } from '../../src/events/statuses.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const ONE = '115500000000000000';
const TWO = '115500000000000002';
const sample = StatusCreated.samples[2] as unknown as { poll: object };

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

describe('the read model for searching statuses', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  const termsOf = async (...events: DomainEvent[]): Promise<unknown[]> =>
    ((await project(db, statusSearch, events))['status_search'] ?? []).map(({ terms }) => terms);

  it('holds the words and properties of each post as it stands, wherever batches are cut', async () => {
    const terms = await termsOf(
      created(ONE, { content: '<p>Old words</p>' }),
      created(TWO, { content: '<p>Gone</p>' }),
      edited(ONE, { content: '<p>New Wörds, new &amp; 東京</p>', language: null, sensitive: true }),
      deleted(TWO),
    );
    expect(terms).to.deep.equal([
      "'by:109500000000000000' 'in:public' 'is:sensitive' 'new':1,3 'words':2 '京':5 '東京':4",
    ]);
  });

  it('holds no word of an author whose key is gone', async () => {
    const poll = { ...sample.poll, options: ['Secret'] };
    const media = [{ id: '1', type: 'image', description: 'secret' }];
    const secret = { content: '<p>secret</p>', spoiler_text: 'secret', poll, media };
    const erased = StatusCreated.personal?.erased ?? {};
    const [before] = await termsOf(created(ONE, secret));
    expect(before).to.contain("'secret'").and.contain("'has:image'");
    const [after] = await termsOf(created(ONE, { ...secret, ...erased }));
    expect(after).to.equal("'by:109500000000000000' 'in:public' 'language:en'");
  });

  it('takes whatever other servers send', async () => {
    const content = `<p>it's \\ 'quoted' ${'x'.repeat(300)} \u{1F426} a:b & | ! ( ) <-> ${'word '.repeat(5_000)}</p>`;
    const language = "x'y\\";
    const [terms] = await termsOf(created(ONE, { content, language }));
    expect(terms)
      .to.contain(`'${'x'.repeat(100)}':4`)
      .and.contain("'language:x-y'");
    const bare = created(ONE, { content: '', language: '--', mentions: [{ id: '7' }] });
    expect(await termsOf(bare)).to.deep.equal(["'by:109500000000000000' 'in:public' 'to:7'"]);
  });
});
