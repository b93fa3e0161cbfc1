import { expect } from 'chai';
import {
  announcement,
  decideCreate,
  decideDelete,
  decideDue,
  decidePublish,
  decideUnpublish,
  decideUpdate,
  type Announcement,
} from '../../commands/announcements/announcement.ts';
import {
  announcementReader,
  decideDismiss,
  checkReactionLimit,
  decideReact,
  decideUnreact,
} from '../../commands/announcements/reader.ts';
import type {
  AnnouncementContent,
  AnnouncementEvent,
  AnnouncementReaderEvent,
} from '../../src/events/announcements.ts';
import { fold } from '../../src/kernel/decider.ts';
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

const given = (...events: AnnouncementEvent[]): Announcement => fold(announcement, events);
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
const create = (more: Partial<AnnouncementContent>, publish = false): AnnouncementEvent[] =>
  decideCreate(given(), { id: ID, content: { ...content, ...more }, now: NOW, publish });

describe('Decisions about announcements', () => {
  it('publish immediately or create a draft', () => {
    expect(create({})).to.deep.equal([created()]);
    expect(create({}, true)).to.deep.equal([created(), published()]);
  });

  it('allow all-day announcements only with a start and an end, and widen them to whole days', () => {
    expect(refusalCode(() => create({ all_day: true }))).to.equal('invalid');
    expect(refusalCode(() => create({ all_day: true, starts_at: LATER }))).to.equal('invalid');
    const whole = {
      starts_at: '2026-11-23T00:00:00.000Z',
      ends_at: '2026-11-23T23:59:59.000Z',
      all_day: true,
    };
    expect(create({ all_day: true, starts_at: LATER, ends_at: LATER })).to.deep.equal([created(whole)]);
    expect(refusalCode(() => decideUpdate(given(created(whole)), { ends_at: null }, NOW))).to.equal(
      'invalid',
    );
    expect(decideUpdate(given(created(whole)), { ends_at: null, all_day: false }, NOW)).to.deep.equal([
      {
        type: 'AnnouncementUpdated',
        data: { announcement_id: ID, ends_at: null, all_day: false, updated_at: NOW },
      },
    ]);
  });

  it('refuse inconsistent times', () => {
    expect(refusalCode(() => create({ starts_at: LAST, ends_at: LATER }))).to.equal('invalid');
    expect(refusalCode(() => create({ scheduled_at: NOW }))).to.equal('invalid');
    expect(refusalCode(() => create({ scheduled_at: LAST, ends_at: LATER }))).to.equal('invalid');
    expect(refusalCode(() => create({ ends_at: NOW }, true))).to.equal('invalid');
    const live = given(created(), published());
    expect(refusalCode(() => decideUpdate(live, { scheduled_at: LATER }, NOW))).to.equal('invalid');
  });

  it('record only changed fields', () => {
    expect(decideUpdate(given(created()), { text: 'Hi', starts_at: null }, NOW)).to.deep.equal([]);
    expect(decideUpdate(given(created()), { starts_at: LATER, ends_at: null }, NOW)).to.deep.equal([
      { type: 'AnnouncementUpdated', data: { announcement_id: ID, starts_at: LATER, updated_at: NOW } },
    ]);
  });

  it('publish and unpublish once each', () => {
    expect(decidePublish(given(created()), LATER)).to.deep.equal([published(LATER)]);
    expect(decidePublish(given(created(), published()), LATER)).to.deep.equal([]);
    expect(decideUnpublish(given(created(), published()))).to.deep.equal([unpublished]);
    expect(decideUnpublish(given(created()))).to.deep.equal([]);
    expect(decidePublish(given(created(), published(), unpublished), LATER)).to.deep.equal([
      published(LATER),
    ]);
  });

  it('answer not_found once the announcement is deleted', () => {
    expect(decideDelete(given(created()))).to.deep.equal([deleted]);
    const gone = given(created(), deleted);
    const attempts = [
      () => decideDelete(gone),
      () => decidePublish(gone, NOW),
      () => decideUnpublish(gone),
      () => decideUpdate(gone, {}, NOW),
      () => decideDelete(given()),
    ];
    for (const attempt of attempts) expect(refusalCode(attempt)).to.equal('not_found');
    expect(decideDue(gone, LAST)).to.deep.equal([]);
  });

  it('publish and unpublish when the time has come', () => {
    const waiting = created({ scheduled_at: LATER, ends_at: LAST });
    expect(decideDue(given(waiting), NOW)).to.deep.equal([]);
    expect(decideDue(given(waiting), LATER)).to.deep.equal([published(LATER)]);
    expect(decideDue(given(waiting, published(LATER)), LATER)).to.deep.equal([]);
    expect(decideDue(given(waiting, published(LATER)), LAST)).to.deep.equal([unpublished]);
    expect(decideDue(given(waiting, published(LATER), unpublished), LAST)).to.deep.equal([]);
    // After a downtime over both times the announcement is not published.
    expect(decideDue(given(waiting), LAST)).to.deep.equal([]);
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
  const state = (...events: AnnouncementReaderEvent[]) => fold(announcementReader, events);
  const react = (emoji: string | undefined, ...before: AnnouncementReaderEvent[]) =>
    decideReact(state(...before), { id: '7', ...reader }, emoji);

  it('dismiss once', () => {
    expect(decideDismiss(state(), reader)).to.deep.equal([dismissed]);
    expect(decideDismiss(state(dismissed, added('🎉')), reader)).to.deep.equal([]);
  });

  it('add each emoji once', () => {
    expect(react('🎉')).to.deep.equal([added('🎉')]);
    expect(react('🎉', added('🎉'))).to.deep.equal([]);
    expect(react('🎉', added('🎉'), removed('🎉'))).to.deep.equal([added('🎉')]);
    expect(refusal(() => react(undefined))).to.deep.equal([
      'invalid',
      'Validation failed: Name is not a recognized emoji',
    ]);
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
      decideUnreact(state(...before), reader, { name, emoji });
    expect(take('❤', '❤️', added('❤️'))).to.deep.equal([removed('❤️')]);
    expect(take('blobcat', undefined, added('blobcat'))).to.deep.equal([removed('blobcat')]);
    expect(take('🎉', '🎉')).to.deep.equal([]);
    expect(refusalCode(() => take('nonsense', undefined))).to.equal('invalid');
  });
});
