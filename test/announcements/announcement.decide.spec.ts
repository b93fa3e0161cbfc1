import { expect } from 'chai';
import {
  announcement,
  decideCreate,
  decideDelete,
  decideDue,
  decidePublish,
  decideUnpublish,
  decideUpdate,
} from '#commands/announcements/announcement.ts';
import {
  announcementReader,
  checkReactionLimit,
  decideDismiss,
  decideReact,
  decideUnreact,
} from '#commands/announcements/reader.ts';
import type {
  AnnouncementContent,
  AnnouncementEvent,
  AnnouncementReaderEvent,
} from '#events/announcements.ts';
import { given } from '../support/given.ts';
import { refusal, refusalCode } from '../support/refusal.ts';

const ID = '115500000000000001';
const NOW = '2026-11-22T10:00:00.000Z';
const LATER = '2026-11-23T10:00:00.000Z';
const LAST = '2026-11-24T10:00:00.000Z';
const content: AnnouncementContent = {
  text: 'Hi',
  content: '<p>Hi</p>',
  mentions: [],
  tags: [],
  status_ids: [],
  starts_at: null,
  ends_at: null,
  all_day: false,
  scheduled_at: null,
};
const created = (more: Partial<AnnouncementContent> = {}): AnnouncementEvent => ({
  type: 'AnnouncementCreated',
  data: { announcement_id: ID, ...content, ...more, created_at: NOW },
});
const published = (at = NOW): AnnouncementEvent => ({
  type: 'AnnouncementPublished',
  data: { announcement_id: ID, published_at: at },
});
const unpublished: AnnouncementEvent = { type: 'AnnouncementUnpublished', data: { announcement_id: ID } };
const deleted: AnnouncementEvent = { type: 'AnnouncementDeleted', data: { announcement_id: ID } };
const create = (more: Partial<AnnouncementContent>, publish = false) =>
  given(announcement).when(decideCreate, { id: ID, content: { ...content, ...more }, now: NOW, publish });

describe('Decisions about announcements', () => {
  it('publish immediately or create a draft', () => {
    create({}).then([created()]);
    create({}, true).then([created(), published()]);
  });

  it('allow all-day announcements only with a start and an end, and widen them to whole days', () => {
    create({ all_day: true }).thenRefuses('invalid');
    create({ all_day: true, starts_at: LATER }).thenRefuses('invalid');
    const whole = {
      starts_at: '2026-11-23T00:00:00.000Z',
      ends_at: '2026-11-23T23:59:59.000Z',
      all_day: true,
    };
    create({ all_day: true, starts_at: LATER, ends_at: LATER }).then([created(whole)]);
    given(announcement, created(whole)).when(decideUpdate, { ends_at: null }, NOW).thenRefuses('invalid');
    given(announcement, created(whole))
      .when(decideUpdate, { ends_at: null, all_day: false }, NOW)
      .then([
        {
          type: 'AnnouncementUpdated',
          data: { announcement_id: ID, ends_at: null, all_day: false, updated_at: NOW },
        },
      ]);
  });

  it('refuse inconsistent times', () => {
    create({ starts_at: LAST, ends_at: LATER }).thenRefuses('invalid');
    create({ scheduled_at: NOW }).thenRefuses('invalid');
    create({ scheduled_at: LAST, ends_at: LATER }).thenRefuses('invalid');
    create({ ends_at: NOW }, true).thenRefuses('invalid');
    const live = given(announcement, created(), published());
    live.when(decideUpdate, { scheduled_at: LATER }, NOW).thenRefuses('invalid');
  });

  it('record only changed fields', () => {
    given(announcement, created()).when(decideUpdate, { text: 'Hi', starts_at: null }, NOW).then([]);
    given(announcement, created())
      .when(decideUpdate, { starts_at: LATER, ends_at: null }, NOW)
      .then([
        { type: 'AnnouncementUpdated', data: { announcement_id: ID, starts_at: LATER, updated_at: NOW } },
      ]);
  });

  it('publish and unpublish once each', () => {
    given(announcement, created())
      .when(decidePublish, LATER)
      .then([published(LATER)]);
    given(announcement, created(), published()).when(decidePublish, LATER).then([]);
    given(announcement, created(), published()).when(decideUnpublish).then([unpublished]);
    given(announcement, created()).when(decideUnpublish).then([]);
    given(announcement, created(), published(), unpublished)
      .when(decidePublish, LATER)
      .then([published(LATER)]);
  });

  it('answer not_found once the announcement is deleted', () => {
    given(announcement, created()).when(decideDelete).then([deleted]);
    const gone = given(announcement, created(), deleted);
    const attempts = [
      () => gone.when(decideDelete).decided(),
      () => gone.when(decidePublish, NOW).decided(),
      () => gone.when(decideUnpublish).decided(),
      () => gone.when(decideUpdate, {}, NOW).decided(),
      () => given(announcement).when(decideDelete).decided(),
    ];
    for (const attempt of attempts) expect(refusalCode(attempt)).to.equal('not_found');
    gone.when(decideDue, LAST).then([]);
  });

  it('publish and unpublish when the time has come', () => {
    const waiting = created({ scheduled_at: LATER, ends_at: LAST });
    given(announcement, waiting).when(decideDue, NOW).then([]);
    given(announcement, waiting)
      .when(decideDue, LATER)
      .then([published(LATER)]);
    given(announcement, waiting, published(LATER)).when(decideDue, LATER).then([]);
    given(announcement, waiting, published(LATER)).when(decideDue, LAST).then([unpublished]);
    given(announcement, waiting, published(LATER), unpublished).when(decideDue, LAST).then([]);
    // After a downtime over both times the announcement is not published.
    given(announcement, waiting).when(decideDue, LAST).then([]);
  });
});

describe('Decisions about a reader of an announcement', () => {
  const reader = { announcement_id: ID, account_id: '109500000000000000' };
  const added = (name: string): AnnouncementReaderEvent => ({
    type: 'AnnouncementReactionAdded',
    data: { id: '7', ...reader, name },
  });
  const removed = (name: string): AnnouncementReaderEvent => ({
    type: 'AnnouncementReactionRemoved',
    data: { ...reader, name },
  });
  const dismissed: AnnouncementReaderEvent = { type: 'AnnouncementDismissed', data: reader };

  const react = (emoji: string | undefined, ...before: AnnouncementReaderEvent[]) =>
    given(announcementReader, ...before).when(decideReact, { id: '7', ...reader }, emoji);

  it('dismiss once', () => {
    given(announcementReader).when(decideDismiss, reader).then([dismissed]);
    given(announcementReader, dismissed, added('🎉')).when(decideDismiss, reader).then([]);
  });

  it('add each emoji once', () => {
    react('🎉').then([added('🎉')]);
    react('🎉', added('🎉')).then([]);
    react('🎉', added('🎉'), removed('🎉')).then([added('🎉')]);
    react(undefined).thenRefuses('invalid', 'Validation failed: Name is not a recognized emoji');
  });

  it('allow eight different reactions by all readers', () => {
    expect(refusal(() => checkReactionLimit(8))).to.equal(undefined);
    expect(refusal(() => checkReactionLimit(9))).to.deep.equal([
      'invalid',
      'Validation failed: Limit of different reactions reached',
    ]);
  });

  it('remove an added reaction, even when its custom emoji was deleted', () => {
    const take = (name: string, emoji: string | undefined, ...before: AnnouncementReaderEvent[]) =>
      given(announcementReader, ...before).when(decideUnreact, reader, { name, emoji });
    take('❤', '❤️', added('❤️')).then([removed('❤️')]);
    take('blobcat', undefined, added('blobcat')).then([removed('blobcat')]);
    take('🎉', '🎉').then([]);
    take('nonsense', undefined).thenRefuses('invalid');
  });
});
