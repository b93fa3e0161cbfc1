import { expect } from 'chai';
import { decideCancel } from '#commands/scheduled-statuses/cancel.ts';
import { decideFail, decidePublish } from '#commands/scheduled-statuses/publish.ts';
import {
  checkLimits,
  checkMoment,
  decideSchedule,
  scheduledQuota,
} from '#commands/scheduled-statuses/schedule.ts';
import { type ScheduledStatus, scheduledStatus } from '#commands/scheduled-statuses/scheduled-status.ts';
import { decideReschedule } from '#commands/scheduled-statuses/update.ts';
import {
  type ScheduledStatusData,
  type ScheduledStatusEvent,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import { requiredMoment } from '#kernel/moments.ts';
import type { Db } from '#kernel/read.ts';
import { type Given, given } from '../support/given.ts';
import { refusal } from '../support/refusal.ts';

const NOW = '2026-11-21T08:00:00.000Z';
const data: ScheduledStatusData = StatusScheduled.schema.parse({
  ...StatusScheduled.samples[1],
  scheduled_at: '2026-11-21T09:00:00.000Z',
});
const { id, account_id } = data;
const scheduled: ScheduledStatusEvent = { type: 'StatusScheduled', data };
const cancelled: ScheduledStatusEvent = { type: 'ScheduledStatusCancelled', data: { id, account_id } };
const published: ScheduledStatusEvent = {
  type: 'ScheduledStatusPublished',
  data: { id, account_id, status_id: '7', poll_id: '8', published_at: data.scheduled_at },
};
const refused = (decide: () => unknown): string | undefined => refusal(decide)?.join(': ');

describe('The decisions about scheduled statuses', () => {
  it('parse times as clients send them, and refuse doubtful ones that are past', () => {
    const read = (text: string): string => requiredMoment(text, { now: NOW, refusal: 'It is no time' });
    expect(read('2026-12-01T10:00:00+02:00')).to.equal('2026-12-01T08:00:00.000Z');
    expect(read('31/12/2026 10:00')).to.equal('2026-12-31T10:00:00.000Z');
    expect(read('2020-12-01')).to.equal('2020-12-01T00:00:00.000Z');
    expect(refused(() => read('12/2/2026 10:00'))).to.match(/^invalid: It is no time: write the year first/);
    for (const text of ['tomorrow', '', '99999-01-01T00:00:00Z', '0026-12-02']) {
      expect(
        refused(() => read(text)),
        text,
      ).to.equal('invalid: It is no time');
    }
  });

  it('accept times that are more than five minutes ahead', () => {
    expect(refused(() => checkMoment('2026-11-21T08:05:00.000Z', NOW))).to.match(/^invalid/);
    expect(refused(() => checkMoment('2026-11-21T08:05:00.001Z', NOW))).to.equal(undefined);
  });

  it('accept at most 300 in total and 25 a day', () => {
    given(scheduledStatus).when(decideSchedule, data).then([scheduled]);
    const check = (total: number, sameDay: number) => checkLimits({ total, sameDay });
    expect(refused(() => check(300, 25))).to.equal(undefined);
    expect(refused(() => check(301, 1))).to.equal(
      'invalid: Validation failed: You have exceeded the limit of 300 scheduled posts',
    );
    expect(refused(() => check(26, 26))).to.equal(
      'invalid: Validation failed: You have exceeded the limit of 25 scheduled posts for today',
    );
  });

  it('use a place of its day, and one in total when it is new', () => {
    const day = data.scheduled_at.slice(0, 10);
    const [here, there] = [
      { id: '1', day },
      { id: '1', day: '2030-01-01' },
    ];
    const quota = (isNew: boolean) => scheduledQuota({} as Db, account_id, { at: data.scheduled_at, isNew });
    expect(
      quota(true).taken(given(scheduledStatus).state, given(scheduledStatus, scheduled).state),
    ).to.deep.equal([{ id, day }]);
    expect(
      quota(false).taken(given(scheduledStatus, scheduled).state, given(scheduledStatus, scheduled).state),
    ).to.deep.equal([]);
    expect(
      quota(false).taken(
        given(scheduledStatus, scheduled).state,
        given(scheduledStatus, scheduled, cancelled).state,
      ),
    ).to.deep.equal([]);
    const { check } = quota(true);
    expect(refused(() => check({ total: 299, sameDay: 24 }, [here, there]))).to.equal(undefined);
    expect(refused(() => check({ total: 300, sameDay: 0 }, [there]))).to.match(/^invalid/);
    expect(refused(() => check({ total: 0, sameDay: 25 }, [here]))).to.match(/^invalid/);
    expect(refused(() => check({ total: 0, sameDay: 25 }, [there]))).to.equal(undefined);
    expect(refused(() => quota(false).check({ total: 300, sameDay: 0 }, [here]))).to.equal(undefined);
  });

  it('move a waiting one to another time', () => {
    const at = '2026-11-22T08:00:00.000Z';
    const decide = (state: ScheduledStatus, to: string | undefined, accountId = account_id) =>
      decideReschedule(state, { accountId, now: NOW, at: to });
    expect(decide(given(scheduledStatus, scheduled).state, at)).to.deep.equal([
      { type: 'ScheduledStatusRescheduled', data: { id, account_id, scheduled_at: at } },
    ]);
    expect(decide(given(scheduledStatus, scheduled).state, data.scheduled_at)).to.deep.equal([]);
    expect(decide(given(scheduledStatus, scheduled).state, undefined)).to.deep.equal([]);
    expect(
      refused(() => decide(given(scheduledStatus, scheduled).state, '2026-11-21T08:04:00.000Z')),
    ).to.equal('invalid: Validation failed: Scheduled at date must be in the future');
    for (const state of [
      given(scheduledStatus).state,
      given(scheduledStatus, scheduled, cancelled).state,
      given(scheduledStatus, scheduled, published).state,
    ]) {
      expect(refused(() => decide(state, at))).to.match(/^not_found/);
    }
    expect(refused(() => decide(given(scheduledStatus, scheduled).state, at, '1'))).to.match(/^not_found/);
  });

  it('cancel a waiting one, for its author only', () => {
    given(scheduledStatus, scheduled).when(decideCancel, account_id).then([cancelled]);
    expect(refused(() => given(scheduledStatus, scheduled).when(decideCancel, '1').decided())).to.match(
      /^not_found/,
    );
    expect(
      refused(() => given(scheduledStatus, scheduled, published).when(decideCancel, account_id).decided()),
    ).to.match(/^not_found/);
  });

  it('publish once, at its time and not before', () => {
    const publish = (state: Given<Parameters<typeof decidePublish>[0]>, now: string) =>
      state.when(decidePublish, { now, statusId: '7', pollId: '8' });
    publish(given(scheduledStatus, scheduled), '2026-11-21T08:59:59.999Z').then([]);
    publish(given(scheduledStatus, scheduled), data.scheduled_at).then([published]);
    publish(given(scheduledStatus, scheduled, published), data.scheduled_at).then([]);
    publish(given(scheduledStatus, scheduled, cancelled), data.scheduled_at).then([]);
  });

  it('record once that a published one could not be posted', () => {
    const [failed, ...others] = given(scheduledStatus, scheduled, published)
      .when(decideFail, 'Record not found')
      .decided();
    expect(others).to.deep.equal([]);
    expect(failed).to.deep.equal({
      type: 'ScheduledStatusFailed',
      data: { id, account_id, status_id: '7', reason: 'Record not found' },
    });
    given(scheduledStatus, scheduled, published, failed!).when(decideFail, 'again').then([]);
    given(scheduledStatus, scheduled).when(decideFail, 'too early').then([]);
  });
});
