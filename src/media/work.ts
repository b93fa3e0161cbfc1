import { PROCESS_MEDIA, processMedia, removeUnattachedMedia } from '../../commands/media/index.ts';
import type { JobService } from '../jobs/jobs.ts';
import type { CommandContext } from '../kernel/context.ts';

/** How often uploads that nobody attached are looked for, in milliseconds. */
const SWEEP_INTERVAL = 3_600_000;

/** What is done about media without being asked: rendering large uploads, removing forgotten ones. */
export async function startMediaWork(
  app: { jobs: JobService; systemContext: (rule: string) => CommandContext },
  { shared, onError }: { shared: boolean; onError: (error: unknown) => void },
): Promise<{ stop: () => void }> {
  app.jobs.work(PROCESS_MEDIA, async ({ media_id: id }, run) => {
    if (typeof id === 'string') await processMedia(app.systemContext('media'), id, run);
  });
  await app.jobs.start({ shared });
  const sweeping = setInterval(() => {
    removeUnattachedMedia(app.systemContext('media')).catch(onError);
  }, SWEEP_INTERVAL);
  return { stop: () => clearInterval(sweeping) };
}
