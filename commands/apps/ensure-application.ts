import { applicationStream, type ApplicationEvent } from '../../src/events/apps.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { applicationDecider } from './application.ts';

type Application = ApplicationEvent['data'];

/** Records an application in the log, unless it is there. */
export async function ensureApplication(ctx: CommandContext, application: Application): Promise<void> {
  const created: ApplicationEvent = { type: 'ApplicationCreated', data: application };
  await ctx.execute(applicationStream(application.id), applicationDecider, ({ exists }) =>
    exists ? [] : [created],
  );
}
