import { expect } from 'chai';
import {
  customEmoji,
  decideDelete,
  decideImport,
  decideUpdate,
  type NewCustomEmoji,
} from '../../commands/custom-emojis/custom-emoji.ts';
import type { CustomEmojiEvent } from '../../src/events/custom-emojis.ts';
import { fold } from '../../src/kernel/decider.ts';

const image = { original: 'a.gif', static: 'a.png' };
const emoji: NewCustomEmoji = {
  id: '1',
  shortcode: 'blobcat',
  category: 'Blobs',
  visible_in_picker: true,
  image,
};
const created: CustomEmojiEvent = { type: 'CustomEmojiCreated', data: emoji };
const deleted: CustomEmojiEvent = { type: 'CustomEmojiDeleted', data: { shortcode: 'blobcat' } };
const updated = (changes: object): CustomEmojiEvent => ({
  type: 'CustomEmojiUpdated',
  data: { shortcode: 'blobcat', ...changes },
});
const given = (...events: CustomEmojiEvent[]) => fold(customEmoji, events);

describe('Importing an emoji', () => {
  it('creates it', () => {
    expect(decideImport(given(), emoji, false)).to.deep.equal([created]);
  });

  it('changes nothing when the shortcode exists', () => {
    expect(
      decideImport(given(created), { ...emoji, image: { ...image, static: 'b.png' } }, false),
    ).to.deep.equal([]);
  });

  it('replaces an emoji with the same shortcode on request, and records only the differences', () => {
    const other = { original: 'b.png', static: 'b.png' };
    const again = { ...emoji, id: '2', category: null, image: other };
    expect(decideImport(given(created), again, true)).to.deep.equal([
      updated({ category: null, image: other }),
    ]);
    expect(decideImport(given(created), { ...emoji, id: '2' }, true)).to.deep.equal([]);
  });

  it('creates it again after it was removed', () => {
    const again = { ...emoji, id: '2' };
    expect(decideImport(given(created, deleted), again, false)).to.deep.equal([
      { type: 'CustomEmojiCreated', data: again },
    ]);
  });
});

describe('Changing an emoji', () => {
  it('records only the differences', () => {
    const state = given(created, updated({ category: null, disabled: true }));
    expect(decideUpdate(state, 'blobcat', { category: null, disabled: true })).to.deep.equal([]);
    expect(decideUpdate(state, 'blobcat', { category: 'Cats', disabled: true })).to.deep.equal([
      updated({ category: 'Cats' }),
    ]);
    expect(decideUpdate(state, 'blobcat', { disabled: false, visible_in_picker: false })).to.deep.equal([
      updated({ disabled: false, visible_in_picker: false }),
    ]);
  });

  it('fails when there is no such emoji', () => {
    expect(() => decideUpdate(given(), 'blobcat', {})).to.throw('There is no emoji :blobcat:');
    expect(() => decideUpdate(given(created, deleted), 'blobcat', {})).to.throw('There is no emoji');
  });
});

describe('Removing an emoji', () => {
  it('fails when it was removed before', () => {
    expect(decideDelete(given(created), 'blobcat')).to.deep.equal([deleted]);
    expect(() => decideDelete(given(created, deleted), 'blobcat')).to.throw('There is no emoji :blobcat:');
  });
});
