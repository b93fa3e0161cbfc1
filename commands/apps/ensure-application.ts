import { applicationStream, type ApplicationEvent } from '../../src/events/apps.ts';
import { applicationDecider } from './application.ts';
import { useCase } from '../use-case.ts';

type Application = ApplicationEvent['data'];

/** Records an application in the log, unless it is there. */
export const ensureApplication = useCase({
  stream: ({ id }: Application) => applicationStream(id),
  decider: applicationDecider,
  decide: ({ exists }, data): ApplicationEvent[] => (exists ? [] : [{ type: 'ApplicationCreated', data }]),
});
