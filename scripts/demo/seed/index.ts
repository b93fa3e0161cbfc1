import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '#app/app.ts';
import { actingOn } from '../act.ts';
import { planOf } from '../plan.ts';
import { OPERATOR } from '../texts/people.ts';
import { keepLists } from './lists.ts';
import { moderate } from './moderation.ts';
import { meet, settleIn } from './people.ts';
import { arrange, catchUp, chooseNotifications } from './person.ts';
import { post } from './posts.ts';
import { announce, furnish } from './server.ts';
import type { Resident, Town } from './town.ts';
import { approveTrends, reactToNews } from './trends.ts';
import { leaveDecisions } from './waiting.ts';

export { emailOf, passwordOf } from './people.ts';
export type { Resident } from './town.ts';

/**
 * Fills an empty server whose read models follow and whose reactors do not run yet: their effects, such as mails, belong to moments
 * that are over. `onStep` hears what is being done.
 */
export async function seed(
  app: App,
  number: number,
  onStep: (step: string) => void,
): Promise<Map<string, Resident>> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-demo-files-'));
  const town: Town = {
    plan: planOf(number),
    acting: actingOn(app),
    end: Date.now(),
    residents: new Map(),
    posts: new Map(),
    folder,
  };
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    onStep(name);
    const result = await work();
    await town.acting.settle();
    return result;
  };
  try {
    await step('People move in', () => settleIn(town, app));
    await step('The server gets its name and rules', () => furnish(town));
    await step('They follow one another', () => meet(town));
    await step('Six weeks of posts', () => post(town, () => chooseNotifications(town)));
    await step('Reports, strikes and an appeal', () => moderate(town));
    await step('Lists of staff', () => keepLists(town, OPERATOR));
    await step('Decisions that wait', () => leaveDecisions(town));
    await step('Lists, filters and bookmarks', () => arrange(town));
    await step('The last two days', () => catchUp(town));
    const announcement = await step('An announcement', () => announce(town));
    await step('Trends', async () => Promise.all([approveTrends(town), reactToNews(town, announcement)]));
    return town.residents;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
