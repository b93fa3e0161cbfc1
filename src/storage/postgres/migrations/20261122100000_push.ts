import type { Knex } from 'knex';

/**
 * Where to push notifications. Not in the log: the keys are secrets of one app on one device, which mean nothing once it is
 * gone. A subscription goes with its access token; a trigger sees to that, so that no way of revoking one can forget it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table durable.push_subscriptions (
      id bigint generated always as identity primary key,
      access_token_id bigint not null unique references durable.access_tokens (id) on delete cascade,
      account_id bigint not null,
      endpoint text not null,
      p256dh text not null,
      secrets bytea not null,
      standard boolean not null,
      alerts text[] not null,
      policy text not null,
      failures integer not null default 0,
      created_at timestamptz not null default now()
    );
    create index push_subscriptions_account_id on durable.push_subscriptions (account_id);
    create index push_subscriptions_of_posts on durable.push_subscriptions (id) where 'status' = any(alerts);

    create table durable.push_deliveries (
      push_subscription_id bigint not null references durable.push_subscriptions (id) on delete cascade,
      notification_id bigint not null,
      sent_at timestamptz not null default now(),
      primary key (push_subscription_id, notification_id)
    );
    create index push_deliveries_sent_at on durable.push_deliveries (sent_at);

    create function durable.forget_push_subscription() returns trigger language plpgsql as $$
      begin
        delete from durable.push_subscriptions where access_token_id = new.id;
        return null;
      end
    $$;
    create trigger access_tokens_revoked after update of revoked_at on durable.access_tokens
      for each row when (new.revoked_at is not null) execute function durable.forget_push_subscription();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger access_tokens_revoked on durable.access_tokens;
    drop function durable.forget_push_subscription;
    drop table durable.push_deliveries, durable.push_subscriptions
  `);
}
