import { expect } from 'chai';
import { StatusCreated, StatusEdited } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { parseReady } from '#mastodon/ready-json.ts';
import { statuses } from '#projections/statuses/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const mention = (id: string) => ({
  id,
  username: `name${id}`,
  acct: `name${id}@far.example`,
  url: `https://far.example/@name${id}`,
});
const own = { id: '20', account_id: '1', conversation_id: '20', local: false };
/** A text that looks like members of the body. */
const spoiler_text = '"mentions":[],"edited_at":null';
const post = (...ids: string[]): DomainEvent => ({
  type: 'StatusCreated',
  data: { ...StatusCreated.samples[8], ...own, spoiler_text, mentions: ids.map(mention) },
});
const edit = (...ids: string[]): DomainEvent => ({
  type: 'StatusEdited',
  data: { ...StatusEdited.samples[4], ...own, spoiler_text, mentions: ids.map(mention) },
});
const resolved = (...ids: string[]): DomainEvent => ({
  type: 'MentionsResolved',
  data: { id: own.id, account_id: own.account_id, uris: [], mentions: ids.map(mention) },
});

describe('The read model of posts, for mentions that are resolved later', function () {
  this.timeout(120_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  /** Mentions as clients see them, and as audiences are found. */
  const mentionsAfter = async (...events: DomainEvent[]): Promise<unknown[]> => {
    const { statuses: rows = [], status_mentions: people = [] } = await project(db, statuses, events);
    const body = parseReady(`{${String(rows[0]?.['body'])}}`) as Record<string, { id: string }[]>;
    return [
      body['mentions']?.map(({ id }) => id),
      people.map((row) => String(row['account_id'])).sort(),
      body['spoiler_text'],
    ];
  };

  it('adds them after the existing ones', async () => {
    expect(await mentionsAfter(post(), resolved('5', '4'))).deep.equal([
      ['5', '4'],
      ['4', '5'],
      spoiler_text,
    ]);
    expect(await mentionsAfter(post('9'), resolved('5'), resolved(), resolved('4'))).deep.equal([
      ['9', '5', '4'],
      ['4', '5', '9'],
      spoiler_text,
    ]);
  });

  it('follows an edit, which contains all of them', async () => {
    expect(await mentionsAfter(post('9'), resolved('5'), edit('9', '5', '3'), resolved('4'))).deep.equal([
      ['9', '5', '3', '4'],
      ['3', '4', '5', '9'],
      spoiler_text,
    ]);
  });
});
