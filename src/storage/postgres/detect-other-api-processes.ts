import { randomUUID } from 'node:crypto';
import type { Notifications } from '#kernel/listening.ts';
import { type Db, statement } from '#kernel/read.ts';

const CHANNEL = 'rookery_serving';
const SAY = statement('neighbours_say', `select pg_notify('${CHANNEL}', $1)`);

export interface DetectOptions {
  db: Db;
  notifications: Notifications;
  /** Whether this process shares its state through Redis. */
  shares: boolean;
  /** Called once, when another process exists and one of the two does not share its state. */
  onUnshared: () => void;
}

/**
 * Detects other processes that serve the API on this database. Each announces itself at its start and after a
 * lost connection; the others answer.
 */
export async function detectOtherApiProcesses({
  db,
  notifications,
  shares,
  onUnshared,
}: DetectOptions): Promise<void> {
  const me = randomUUID();
  let told = false;
  const say = (what: 'hello' | 'here'): void =>
    void db.query(SAY, [`${what} ${me} ${shares}`]).catch(() => undefined);
  await notifications.subscribe({
    channel: CHANNEL,
    onConnected: () => say('hello'),
    onNotification: (payload) => {
      const [what, who, theyShare] = payload.split(' ');
      if (who === me) return;
      if (what === 'hello') say('here');
      if (told || (shares && theyShare === 'true')) return;
      told = true;
      onUnshared();
    },
  });
}
