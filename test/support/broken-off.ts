import { expect } from 'chai';
import type { CommandContext } from '#kernel/context.ts';
import { eventually } from './eventually.ts';
import type { TestServer } from './server.ts';

/** Returns a context that throws `killed` at the given append, like a process that is killed there. */
export function endingAt(ctx: CommandContext, append: number): CommandContext {
  let left = append;
  return {
    now: ctx.now,
    db: ctx.db,
    instance: ctx.instance,
    services: ctx.services,
    newId: () => ctx.newId(),
    load: (stream, decider) => ctx.load(stream, decider),
    waitForReadModels: (groups) => ctx.waitForReadModels(groups),
    execute: (...execution) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return ctx.execute(...execution);
    },
  };
}

/** Makes the jobs of a kind due, and waits for them. @returns how many there were */
export async function hurryJobs(
  town: Pick<TestServer, 'app' | 'waitUntilIdle'>,
  name: string,
): Promise<number> {
  const { db } = town.app;
  await town.waitUntilIdle();
  const due = await db.query('update jobs.job set start_after = now() where name = $1 returning id', [name]);
  await eventually(async () => {
    expect(await db.query('select from jobs.job where name = $1', [name])).deep.equal([]);
  });
  await town.waitUntilIdle();
  return due.length;
}
