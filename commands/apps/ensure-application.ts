import { type ApplicationEvent, applicationStream } from '#events/apps.ts';
import { useCase } from '../use-case.ts';
import { applicationDecider } from './application.ts';

type Application = ApplicationEvent['data'];

/** Records an application in the log, unless it is there. */
export const ensureApplication = useCase({
  stream: ({ id }: Application) => applicationStream(id),
  decider: applicationDecider,
  decide: ({ exists }, data): ApplicationEvent[] => (exists ? [] : [{ type: 'ApplicationCreated', data }]),
});
