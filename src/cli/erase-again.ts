import { eraseAgain } from '../../commands/erasure/index.ts';
import { statement, type Db } from '../kernel/read.ts';
import type { App } from '../app/app.ts';
import { countProgress } from './progress.ts';

const DESTROYED = statement(
  'erase_again_destroyed',
  'select subject from durable.subject_keys where destroyed_at is not null order by subject',
);

/** Returns all subjects whose keys were destroyed, as the database and a list of erasures know them. */
export async function destroyedSubjects(db: Db, listed: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(DESTROYED);
  return [...new Set([...rows.map(({ subject }) => subject), ...listed])];
}

/** Carries erasures out again: accounts and lifted blocks of addresses whose keys were destroyed. May be repeated. */
export async function eraseAllAgain(app: App, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  const progress = countProgress('Erased again', `of ${subjects.length}`);
  const projector = await app.startProjector();
  const never = new AbortController().signal;
  try {
    // Each by commands of its own, one after the other: the read models follow.
    for (const [index, subject] of subjects.entries()) {
      await eraseAgain(app.systemContext('restore'), subject, never);
      progress.update(index + 1);
    }
  } finally {
    progress.stop();
    await projector.stop();
  }
}
