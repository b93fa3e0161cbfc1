import { expect } from 'chai';
import type { DomainEvent } from '#kernel/event.ts';
import { customEmojis } from '#projections/custom-emojis.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const created = (id: string, shortcode: string, category: string | null): DomainEvent => ({
  type: 'CustomEmojiCreated',
  data: {
    id,
    shortcode,
    category,
    visible_in_picker: true,
    image: { original: `${shortcode}.gif`, static: `${shortcode}.png` },
  },
});
const updated = (shortcode: string, changes: object): DomainEvent => ({
  type: 'CustomEmojiUpdated',
  data: { shortcode, ...changes },
});

describe('The read model of emojis', () => {
  it('follows their changes, wherever batches are cut', async function () {
    this.timeout(60_000);
    const db = await openScratchDatabase();
    const { custom_emojis: rows } = await project(db, customEmojis, [
      created('1', 'one', 'Numbers'),
      created('2', 'two', 'Numbers'),
      created('3', 'three', null),
      updated('one', { category: null }),
      updated('two', { visible_in_picker: false, disabled: true }),
      updated('one', { image: { original: 'new.png', static: 'new.png' } }),
      updated('two', { disabled: false }),
      { type: 'CustomEmojiDeleted', data: { shortcode: 'three' } },
      created('4', 'three', 'Again'),
      { type: 'CustomEmojiDeleted', data: { shortcode: 'three' } },
      updated('gone', { disabled: true }),
    ]);
    await db.close();
    expect(rows).to.have.deep.members([
      {
        shortcode: 'one',
        id: 1,
        category: null,
        visible_in_picker: true,
        disabled: false,
        image: 'new.png',
        static_image: 'new.png',
      },
      {
        shortcode: 'two',
        id: 2,
        category: 'Numbers',
        visible_in_picker: false,
        disabled: false,
        image: 'two.gif',
        static_image: 'two.png',
      },
    ]);
  });
});
