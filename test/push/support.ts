import { expect } from 'chai';
import type { NotificationType } from '#mastodon/notification-types.ts';
import type { WebPushSubscription } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Client, Town } from '../support/people.ts';
import { pushReceiver, type PushService } from '../support/push-service.ts';

/** A user's app that receives push notifications. */
export interface PushedApp {
  name: string;
  subscription: WebPushSubscription;
  /** The received messages, in no particular order. */
  messages(): Record<string, unknown>[];
}

/** Subscribes a client to some types. */
export async function subscribe(
  service: PushService,
  client: Client,
  name: string,
  alerts: readonly NotificationType[],
  { policy, standard }: { policy?: string; standard?: boolean } = {},
): Promise<PushedApp> {
  const receiver = pushReceiver();
  const { status, json: subscription } = await client.post<WebPushSubscription>('/api/v1/push/subscription', {
    subscription: { endpoint: service.url(name), keys: receiver.keys, standard },
    data: { alerts: Object.fromEntries(alerts.map((type) => [type, true])), policy },
  });
  expect(status, JSON.stringify(subscription)).to.equal(200);
  return {
    name,
    subscription,
    messages: () =>
      service.received
        .filter(({ path }) => path === name)
        .map((each) => receiver.read(each, subscription.server_key)),
  };
}

/** Waits until all jobs that are due have ended or failed for good, so that all messages and mails are out. */
export async function pushed(town: Pick<Town, 'app' | 'waitUntilIdle'>): Promise<void> {
  await town.waitUntilIdle();
  await eventually(async () => {
    const [queue] = await town.app.db.query<{ made: boolean }>(
      `select to_regclass('jobs.job') is not null as made`,
    );
    if (queue?.made !== true) return;
    const waiting = await town.app.db.query(
      `select name from jobs.job where state = 'active' or (state in ('created', 'retry') and start_after < now() + interval '30 seconds')`,
    );
    expect(waiting).to.deep.equal([]);
  });
}
