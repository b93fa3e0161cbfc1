import { expect } from 'chai';
import { MAX_CHARACTERS } from '#mastodon/limits.ts';
import { momentOf } from '../../scripts/demo/moments.ts';
import { SCENES } from '../../scripts/demo/pictures/scenes.ts';
import { digestOf, planOf } from '../../scripts/demo/plan.ts';

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1);
const END = Date.parse('2026-11-28T14:00:00Z');

describe('The plan of the demo', () => {
  it('has the same names, texts, pictures and relations with the same seed, and others with another', () => {
    expect(digestOf(planOf(3))).to.equal(digestOf(planOf(3)));
    expect(new Set(SEEDS.map((seed) => digestOf(planOf(seed)))).size).to.equal(SEEDS.length);
  });

  it('has thirty people besides the one who leaves, and some 400 posts in five languages', () => {
    const { people, posts } = planOf(1);
    expect(new Set(people.map(({ username }) => username)).size).to.equal(31);
    expect(posts.length).to.be.within(390, 450);
    expect(new Set(posts.map(({ language }) => language))).to.deep.equal(
      new Set(['en', 'de', 'fr', 'es', 'ar']),
    );
    expect(posts.every(({ text }) => text.length <= MAX_CHARACTERS)).to.equal(true);
    expect(posts.flatMap(({ pictures }) => pictures).every(({ scene }) => scene in SCENES)).to.equal(true);
  });

  it('puts each post, reaction, vote and edit after the post that it is about, with any seed', () => {
    for (const seed of SEEDS) {
      const { people, posts, marks } = planOf(seed);
      const names = new Set(people.map(({ username }) => username));
      const times = new Map(posts.map(({ key, ago }) => [key, momentOf(ago, END)]));
      const timeOf = (key: string): number => times.get(key) ?? Infinity;
      const early = posts.filter(({ key, parent, quotes }) =>
        [parent, quotes].some((before) => before !== undefined && timeOf(before) >= timeOf(key)),
      );
      expect(early, `seed ${seed}`).to.deep.equal([]);
      expect(posts.filter(({ edit, ago }) => edit && edit.ago >= ago)).to.deep.equal([]);
      expect(marks.filter(({ post, ago }) => momentOf(ago, END) <= timeOf(post))).to.deep.equal([]);
      expect([...posts, ...marks].filter(({ by, ago }) => !names.has(by) || ago < 0)).to.deep.equal([]);
    }
  });

  it('has no vote after the end of its poll', () => {
    for (const seed of SEEDS) {
      const { posts, marks } = planOf(seed);
      const polls = new Map(
        posts.flatMap(({ key, ago, poll }) => (poll ? [[key, { ago, ...poll }] as const] : [])),
      );
      const votes = marks.filter(({ kind }) => kind === 'vote');
      const late = votes.filter(({ post, ago }) => {
        const poll = polls.get(post);
        return !poll || momentOf(ago, END) >= momentOf(poll.ago, END) + poll.hours * 3_600_000;
      });
      expect(votes).not.to.have.length(0);
      expect(late).to.deep.equal([]);
    }
  });
});

describe('A moment of the demo', () => {
  it('is exact in the last two days, and before that by day, in the same order', () => {
    expect(momentOf(90, END)).to.equal(END - 90 * 60_000);
    const moments = Array.from({ length: 600 }, (_, index) => momentOf(60_000 - index * 100, END));
    expect(moments).to.deep.equal(moments.toSorted((a, b) => a - b));
    const hours = moments.slice(0, 560).map((each) => new Date(each).getUTCHours());
    expect(hours.every((hour) => hour >= 6 && hour <= 22)).to.equal(true);
  });
});
