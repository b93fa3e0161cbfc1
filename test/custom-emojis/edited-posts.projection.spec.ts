import { expect } from 'chai';
import { StatusCreated, type StatusData, StatusEdited } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { EMOJIS } from '#mastodon/ready-json.ts';
import { polls } from '#projections/polls.ts';
import { statuses } from '#projections/statuses/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const post = StatusCreated.samples[2] as unknown as StatusData;
const edit = StatusEdited.samples[1] as unknown as StatusData;
const created = (data: Partial<StatusData>): DomainEvent => ({
  type: 'StatusCreated',
  data: { ...post, poll: null, ...data },
});
const edited = (data: object): DomainEvent => ({
  type: 'StatusEdited',
  data: { ...edit, poll: null, ...data },
});
const names = (...shortcodes: string[]): string => `["${EMOJIS}${shortcodes.join(',')}"]`;

describe('the emoji names stored with a post', function () {
  this.timeout(60_000);
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('are stored for the newest version and for each version in its history', async () => {
    const rows = await project(db, statuses, [
      created({ text: 'a :first: post', spoiler_text: ':warned:' }),
      edited({ text: 'a :second: post', spoiler_text: '', edit_id: '115500000000000009' }),
      edited({ text: 'a plain post', spoiler_text: '', edit_id: '115500000000000010' }),
      edited({ text: 'a :third: post', spoiler_text: '', edit_id: '115500000000000011' }),
    ]);
    expect(rows['statuses']?.map(({ emojis }) => emojis)).to.deep.equal([names('third')]);
    const history = new Map(rows['status_edits']?.map((row) => [row['edit_id'], row['emojis']]));
    expect([...history.keys()]).to.have.length(4);
    expect(history.get(post.id)).to.equal(names('first', 'warned'));
    expect(history.get('115500000000000009')).to.equal(names('second'));
    expect(history.get('115500000000000010')).to.equal(null);
  });

  it('are not stored for posts of other servers, which use their own emojis', async () => {
    const poll = { ...(post.poll as NonNullable<StatusData['poll']>), options: [':yes:', ':no:'] };
    const remote = await project(db, statuses, [
      created({ local: false, text: null, content: ':first:', poll }),
    ]);
    expect(remote['statuses']?.map(({ emojis }) => emojis)).to.deep.equal([null]);
    const theirs = await project(db, polls, [created({ local: false, text: null, poll })]);
    expect(theirs['polls']?.map(({ emojis }) => emojis)).to.deep.equal([null]);
    const ours = await project(db, polls, [created({ poll })]);
    expect(ours['polls']?.map(({ emojis }) => emojis)).to.deep.equal([names('yes', 'no')]);
  });
});
