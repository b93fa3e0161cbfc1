import {
  AnnouncementCreated,
  AnnouncementDeleted,
  AnnouncementPublished,
  AnnouncementUnpublished,
  AnnouncementUpdated,
} from '#events/announcements.ts';
import { ApplicationCreated } from '#events/apps.ts';
import { CustomEmojiCreated, CustomEmojiDeleted, CustomEmojiUpdated } from '#events/custom-emojis.ts';
import { TagReviewed, TagReviewRequested, TagSpelled } from '#events/tags.ts';
import { TrendReviewed, TrendReviewsRequested } from '#events/trends.ts';
import { OPERATOR } from '#kernel/event.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { change, differences, type Fields, pick } from './changes.ts';
import type { AuditDetails } from './entries.ts';
import { altered, audited, lost, made } from './rule.ts';

interface OfAnnouncement {
  announcement_id: string;
}
const announcementKey = ({ announcement_id }: OfAnnouncement): string => `announcement/${announcement_id}`;
const aboutAnnouncement = ({ announcement_id: id }: OfAnnouncement): Pick<AuditDetails, 'target'> => ({
  target: { type: 'announcement', id, name: null },
});
/** The other fields follow from the text. */
const ANNOUNCED = ['text', 'starts_at', 'ends_at', 'all_day', 'scheduled_at'] as const;

interface OfEmoji {
  shortcode: string;
}
const emojiKey = ({ shortcode }: OfEmoji): string => `custom_emoji/${shortcode}`;
const aboutEmoji = ({ shortcode: name }: OfEmoji): Pick<AuditDetails, 'target'> => ({
  target: { type: 'custom_emoji', id: null, name },
});
interface Looks {
  category?: string | null | undefined;
  visible_in_picker?: boolean | undefined;
  disabled?: boolean | undefined;
  image?: { original: string } | undefined;
}
const looksOf = ({ image, ...looks }: Looks): Fields =>
  pick({ ...looks, image: image?.original }, ['category', 'visible_in_picker', 'disabled', 'image']);

interface OfTag {
  tag: string;
}
const tagKey = ({ tag }: OfTag): string => `tag/${tag}`;
const aboutTag = ({ tag: name }: OfTag): Pick<AuditDetails, 'target'> => ({
  target: { type: 'tag', id: null, name },
});

export const otherHandlers: readonly BoundHandler[] = [
  audited(AnnouncementCreated, {
    action: 'announcement.created',
    key: announcementKey,
    describe: (data) => {
      const { changes, state } = made(pick(data, ANNOUNCED));
      return { ...aboutAnnouncement(data), changes, state: { ...state, published: false } };
    },
  }),
  audited(AnnouncementUpdated, {
    action: 'announcement.updated',
    key: announcementKey,
    compares: true,
    describe: (data, before) => ({ ...aboutAnnouncement(data), ...altered(before, pick(data, ANNOUNCED)) }),
  }),
  // A published announcement has no scheduled time.
  audited(AnnouncementPublished, {
    action: 'announcement.published',
    key: announcementKey,
    compares: true,
    describe: (data, before) => ({
      ...aboutAnnouncement(data),
      ...altered(before, { published: true, scheduled_at: null }),
    }),
  }),
  audited(AnnouncementUnpublished, {
    action: 'announcement.unpublished',
    key: announcementKey,
    compares: true,
    describe: (data, before) => ({ ...aboutAnnouncement(data), ...altered(before, { published: false }) }),
  }),
  audited(AnnouncementDeleted, {
    action: 'announcement.deleted',
    key: announcementKey,
    compares: true,
    describe: (data, before) => ({ ...aboutAnnouncement(data), ...lost(before) }),
  }),
  audited(CustomEmojiCreated, {
    action: 'custom_emoji.created',
    key: emojiKey,
    describe: (data) => ({ ...aboutEmoji(data), ...made({ ...looksOf(data), disabled: false }) }),
  }),
  audited(CustomEmojiUpdated, {
    action: 'custom_emoji.updated',
    key: emojiKey,
    compares: true,
    describe: (data, before) => ({ ...aboutEmoji(data), ...altered(before, looksOf(data)) }),
  }),
  audited(CustomEmojiDeleted, {
    action: 'custom_emoji.deleted',
    key: emojiKey,
    compares: true,
    describe: (data, before) => ({ ...aboutEmoji(data), ...lost(before) }),
  }),
  audited(TagReviewRequested, {
    action: 'tag.review_requested',
    key: tagKey,
    describe: (data) => ({ ...aboutTag(data), changes: [change('requested', false, true)] }),
  }),
  audited(TagReviewed, {
    action: 'tag.reviewed',
    key: tagKey,
    compares: true,
    describe: (data, before) => ({ ...aboutTag(data), ...altered(before, { trendable: data.trendable }) }),
  }),
  audited(TagSpelled, {
    action: 'tag.renamed',
    key: tagKey,
    compares: true,
    describe: (data, before) => ({ ...aboutTag(data), ...altered(before, { display_name: data.name }) }),
  }),
  audited(TrendReviewsRequested, {
    action: 'trend.review_requested',
    key: () => 'trend_reviews',
    describe: ({ tags, statuses, links }) => ({
      target: { type: 'trend', id: null, name: null },
      changes: differences(null, { tags: tags.map(({ name }) => name), statuses, links }),
    }),
  }),
  audited(TrendReviewed, {
    action: 'trend.reviewed',
    key: ({ subject, key }) => `trend/${subject}/${key}`,
    compares: true,
    describe: ({ subject, key, trendable }, before) => ({
      target:
        subject === 'status'
          ? { type: 'status', id: key, name: null }
          : { type: 'trend', id: null, name: key },
      ...(subject === 'publisher' ? { domain: key } : {}),
      ...altered(before, { trendable }),
    }),
  }),
  // Everyone may register applications; only the operator's registrations are recorded.
  audited(ApplicationCreated, {
    action: 'application.created',
    key: ({ id }) => `application/${id}`,
    when: ({ rule }) => rule === OPERATOR,
    describe: (data) => ({
      target: { type: 'application', id: data.id, name: data.name },
      changes: differences(null, pick(data, ['name', 'website', 'scopes'])),
    }),
  }),
];
