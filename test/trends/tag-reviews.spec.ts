import { expect } from 'chai';
import { decideChangeTag, decideRequestReview, tagReview } from '../../commands/trends/tag-review.ts';
import { tagReviews } from '../../projections/tag-reviews.ts';
import { tags } from '../../projections/tags.ts';
import type { TagReviewEvent } from '../../src/events/tags.ts';
import { fold } from '../../src/kernel/decider.ts';
import { tagId } from '../../src/kernel/tag-name.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';
import { refusalCode } from '../support/refusal.ts';

const tag = 'blahaj';
const asked: TagReviewEvent = {
  type: 'TagReviewRequested',
  data: { tag, name: 'Blåhaj', among: ['Blåhaj'] },
};
const allowed: TagReviewEvent = { type: 'TagReviewed', data: { tag, trendable: true } };
const rejected: TagReviewEvent = { type: 'TagReviewed', data: { tag, trendable: false } };
const spelled = (name: string): TagReviewEvent => ({ type: 'TagSpelled', data: { tag, name } });

describe('The review of a hashtag', () => {
  it('is asked for once, and not after staff has decided', () => {
    const ask = (...events: TagReviewEvent[]) => decideRequestReview(fold(tagReview, events), asked.data);
    expect(ask()).to.deep.equal([asked]);
    expect(ask(asked)).to.deep.equal([]);
    expect(ask(rejected)).to.deep.equal([]);
    expect(ask(spelled('BLAHAJ'))).to.deep.equal([asked]);
  });

  it('may be changed at any time, and nothing happens twice', () => {
    const change = (trendable: boolean, ...events: TagReviewEvent[]) =>
      decideChangeTag(fold(tagReview, events), tag, { trendable });
    expect(change(true)).to.deep.equal([allowed]);
    expect(change(true, asked, allowed)).to.deep.equal([]);
    expect(change(false, asked, allowed)).to.deep.equal([rejected]);
  });

  it('corrects the spelling, of no other hashtag', () => {
    const spell = (name: string, ...events: TagReviewEvent[]) =>
      decideChangeTag(fold(tagReview, events), tag, { name });
    expect(spell('BlåHaj')).to.deep.equal([spelled('BlåHaj')]);
    expect(spell('BlåHaj', spelled('BlåHaj'))).to.deep.equal([]);
    for (const name of ['shark', '', 'bla haj']) {
      expect(
        refusalCode(() => spell(name)),
        name,
      ).to.equal('invalid');
    }
  });

  describe('as read models', () => {
    let db: Database;
    before(async () => {
      db = await openScratchDatabase();
    });
    after(() => db.close());

    it('keeps what staff said last', async () => {
      const rows = await project(db, tagReviews, [asked, allowed, rejected]);
      expect(rows).to.deep.equal({ tag_reviews: [{ tag, id: tagId(tag), trendable: false }] });
      const waiting = await project(db, tagReviews, [asked]);
      expect(waiting).to.deep.equal({ tag_reviews: [{ tag, id: tagId(tag), trendable: null }] });
    });

    it('lets the spelling of staff win over earlier and later ones', async () => {
      const followed = (name: string, account_id: string) => ({
        type: 'TagFollowed' as const,
        data: { id: account_id, account_id, tag, name },
      });
      const rows = await project(db, tags, [
        followed('blahaj', '1'),
        spelled('BlåHaj'),
        followed('BLAHAJ', '2'),
        spelled('Blåhaj'),
      ]);
      expect(rows).to.deep.equal({ tags: [{ tag, display_name: 'Blåhaj', position: 0, id: tagId(tag) }] });
    });
  });
});
