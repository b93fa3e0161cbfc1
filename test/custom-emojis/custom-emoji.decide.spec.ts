import {
  customEmoji,
  decideDelete,
  decideImport,
  decideUpdate,
  type NewCustomEmoji,
} from '#commands/custom-emojis/custom-emoji.ts';
import type { CustomEmojiEvent } from '#events/custom-emojis.ts';
import { given } from '../support/given.ts';

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

describe('Importing an emoji', () => {
  it('creates it', () => {
    given(customEmoji).when(decideImport, emoji, false).then([created]);
  });

  it('changes nothing when the shortcode exists', () => {
    given(customEmoji, created)
      .when(decideImport, { ...emoji, image: { ...image, static: 'b.png' } }, false)
      .then([]);
  });

  it('replaces an emoji with the same shortcode on request, and records only the differences', () => {
    const other = { original: 'b.png', static: 'b.png' };
    const again = { ...emoji, id: '2', category: null, image: other };
    given(customEmoji, created)
      .when(decideImport, again, true)
      .then([updated({ category: null, image: other })]);
    given(customEmoji, created)
      .when(decideImport, { ...emoji, id: '2' }, true)
      .then([]);
  });

  it('creates it again after it was removed', () => {
    const again = { ...emoji, id: '2' };
    given(customEmoji, created, deleted)
      .when(decideImport, again, false)
      .then([{ type: 'CustomEmojiCreated', data: again }]);
  });
});

describe('Changing an emoji', () => {
  it('records only the differences', () => {
    const state = given(customEmoji, created, updated({ category: null, disabled: true }));
    state.when(decideUpdate, 'blobcat', { category: null, disabled: true }).then([]);
    state
      .when(decideUpdate, 'blobcat', { category: 'Cats', disabled: true })
      .then([updated({ category: 'Cats' })]);
    state
      .when(decideUpdate, 'blobcat', { disabled: false, visible_in_picker: false })
      .then([updated({ disabled: false, visible_in_picker: false })]);
  });

  it('fails when there is no such emoji', () => {
    given(customEmoji)
      .when(decideUpdate, 'blobcat', {})
      .thenRefuses('not_found', /There is no emoji :blobcat:/);
    given(customEmoji, created, deleted)
      .when(decideUpdate, 'blobcat', {})
      .thenRefuses('not_found', /There is no emoji/);
  });
});

describe('Removing an emoji', () => {
  it('fails when it was removed before', () => {
    given(customEmoji, created).when(decideDelete, 'blobcat').then([deleted]);
    given(customEmoji, created, deleted)
      .when(decideDelete, 'blobcat')
      .thenRefuses('not_found', /There is no emoji :blobcat:/);
  });
});
