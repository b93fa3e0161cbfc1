import type { App } from '#app/app.ts';
import { eraseAgain } from '#commands/erasure/index.ts';
import { type Db, statement } from '#kernel/read.ts';
import { countProgress } from './progress.ts';

const DESTROYED = statement<{ subject: string }>(
  'erase_again_destroyed',
  'select subject from durable.subject_keys where destroyed_at is not null order by subject',
);

/** Returns all subjects whose keys were destroyed, according to the database and a list of erasures. */
export async function destroyedSubjects(db: Db, listed: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.query(DESTROYED);
  return [...new Set([...rows.map(({ subject }) => subject), ...listed])];
}

/** Repeats erasures: of accounts and of lifted address blocks whose keys were destroyed. May run again. */
export async function eraseAllAgain(app: App, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  const progress = countProgress('Erased again', `of ${subjects.length}`);
  const projector = await app.startProjector();
  const never = new AbortController().signal;
  try {
    // One after the other, so that the read models keep up.
    for (const [index, subject] of subjects.entries()) {
      await eraseAgain(app.systemContext('restore'), subject, never);
      progress.update(index + 1);
    }
  } finally {
    progress.stop();
    await projector.stop();
  }
}
