import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { App } from '#app/app.ts';
import { createAccount } from '#commands/accounts/index.ts';
import { scheduledStatus } from '#commands/scheduled-statuses/index.ts';
import {
  type ScheduledStatusEvent,
  scheduledStatusStream,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { beside, discard, freshSettings, type Settings, startRookery } from '../support/process.ts';

describe('Scheduled statuses across crashes', function () {
  this.timeout(120_000);
  let settings: Settings;
  before(async () => {
    settings = await freshSettings();
  });
  after(() => discard(settings));

  it('are published exactly once, however often the server is killed', async () => {
    let server = await startRookery(settings);
    const count = 40;
    const first = Date.now() + 1_500;
    const accountId = await beside(settings, (app) => scheduleMany(app, count, first));
    // Kill the server repeatedly while the statuses come due, one every 50 ms.
    for (const until of [300, 900, 1_500]) {
      await sleep(Math.max(0, first + until - Date.now()));
      await server.end('SIGKILL');
      server = await startRookery(settings);
    }
    const events = await beside(settings, async (app) => {
      for (;;) {
        const all = await readAll(app);
        if (postsOf(all, accountId).length >= count) return all;
        await sleep(50);
      }
    });
    await server.end();
    const claims = events.filter(({ type }) => type === 'ScheduledStatusPublished');
    expect(claims).to.have.lengthOf(count);
    const ids = postsOf(events, accountId).map(({ data }) => (data as { id: string }).id);
    expect(new Set(ids).size).to.equal(count);
    expect(ids).to.have.members(claims.map(({ data }) => (data as { status_id: string }).status_id));
  });
});

async function scheduleMany(app: App, count: number, first: number): Promise<string> {
  const ctx = app.systemContext('tests');
  const accountId = await createAccount(ctx, {
    username: 'early',
    email: 'early@example.org',
    password: 'correct horse early',
    locale: 'en',
    confirmed: true,
    approved: true,
    role: null,
    reason: null,
    signUpIp: null,
    applicationId: '1',
  });
  await ctx.waitForReadModels();
  const sample = StatusScheduled.schema.parse(StatusScheduled.samples[1]);
  for (let n = 0; n < count; n += 1) {
    const id = ctx.newId();
    const scheduled_at = new Date(first + 50 * n).toISOString();
    const params = { ...sample.params, poll: null, text: `number ${n}` };
    const event: ScheduledStatusEvent = {
      type: 'StatusScheduled',
      data: { ...sample, id, account_id: accountId, scheduled_at, params },
    };
    await ctx.execute(scheduledStatusStream(id), scheduledStatus, () => [event], { step: id });
  }
  return accountId;
}

async function readAll({ log }: App): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const page = await log.readAll(all.at(-1)?.position ?? 0n, 1_000);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

const postsOf = (events: readonly RecordedEvent[], accountId: string): RecordedEvent[] =>
  events.filter(
    ({ type, data }) => type === 'StatusCreated' && (data as { account_id: string }).account_id === accountId,
  );
