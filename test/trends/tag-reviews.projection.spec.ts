import { expect } from 'chai';
import { decideRequestReviews, reviewRequests } from '#commands/trends/review-requests.ts';
import { decideChangeTag, tagReview } from '#commands/trends/tag-review.ts';
import type { TagReviewEvent } from '#events/tags.ts';
import type { TrendReviewEvent, TrendReviewsRequestedEvent } from '#events/trends.ts';
import { fold } from '#kernel/decider.ts';
import { tagId } from '#mastodon/tag-name.ts';
import { tagReviews } from '#projections/tag-reviews.ts';
import { tags } from '#projections/tags.ts';
import { trendReviews } from '#projections/trend-reviews.ts';
import type { Database } from '#storage/postgres/db.ts';
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
  it('may be changed at any time, and records a change once', () => {
    const change = (trendable: boolean, ...events: TagReviewEvent[]) =>
      decideChangeTag(fold(tagReview, events), tag, { trendable });
    expect(change(true)).to.deep.equal([allowed]);
    expect(change(true, asked, allowed)).to.deep.equal([]);
    expect(change(false, asked, allowed)).to.deep.equal([rejected]);
  });

  it('corrects the spelling, but of no other hashtag', () => {
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

    it('keep the last decision of staff', async () => {
      const rows = await project(db, tagReviews, [asked, allowed, rejected]);
      expect(rows).to.deep.equal({ tag_reviews: [{ tag, id: tagId(tag), trendable: false }] });
      const waiting = await project(db, tagReviews, [asked]);
      expect(waiting).to.deep.equal({ tag_reviews: [{ tag, id: tagId(tag), trendable: null }] });
    });

    it('prefer the spelling of staff to earlier and later ones', async () => {
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
      expect(rows['tags']).to.deep.equal([{ tag, display_name: 'Blåhaj', position: 0, id: tagId(tag) }]);
    });
  });
});

describe('The request to review trends', () => {
  const request = (tags: string[], statuses: string[], links: string[]): TrendReviewsRequestedEvent => ({
    type: 'TrendReviewsRequested',
    data: { tags: tags.map((tag) => ({ tag, name: tag })), statuses, links },
  });

  it('names each thing once a day, a post and a hashtag of the same number as two things', () => {
    const ask = (asking: TrendReviewsRequestedEvent, ...before: TrendReviewsRequestedEvent[]) =>
      decideRequestReviews(fold(reviewRequests, before), asking.data);
    const all = request(['blahaj', '7'], ['7'], ['ab']);
    expect(ask(all)).to.deep.equal([all]);
    expect(ask(all, all)).to.deep.equal([]);
    expect(ask(request([], [], []))).to.deep.equal([]);
    expect(ask(all, request(['7'], [], ['ab']))).to.deep.equal([request(['blahaj'], ['7'], [])]);
  });

  it('keeps earlier and later decisions of staff', async () => {
    const db = await openScratchDatabase();
    const key = '7';
    const review: TrendReviewEvent = {
      type: 'TrendReviewed',
      data: { subject: 'status', key, trendable: true },
    };
    const requested = request([tag], [key], ['ab']);
    const decisions = (rows: Record<string, Record<string, unknown>[]>): unknown[] =>
      Object.values(rows).flatMap((of) => of.map((row) => [row['tag'] ?? row['key'], row['trendable']]));
    for (const events of [
      [requested, review],
      [review, requested],
    ]) {
      const rows = await project(db, trendReviews, events);
      expect(decisions(rows)).to.have.deep.members([
        ['ab', null],
        [key, true],
      ]);
    }
    for (const events of [
      [requested, allowed, requested],
      [asked, requested, allowed],
    ]) {
      expect(decisions(await project(db, tagReviews, events))).to.deep.equal([[tag, true]]);
    }
    await db.close();
  });
});
