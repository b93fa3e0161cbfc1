import type { JobDefinition } from '../jobs/handler.ts';
import type { Reactor, Timer } from '../kernel/reactor.ts';
import { processUpload, queueUploads, removeForgotten } from './media.ts';

/** Every reactor there is. */
export const reactors: readonly Reactor[] = [queueUploads];

/** Everything that happens at a time. */
export const timers: readonly Timer[] = [removeForgotten];

/** Every kind of job. */
export const jobHandlers: readonly JobDefinition[] = [processUpload];
