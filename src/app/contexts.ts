import { randomUUID } from 'node:crypto';
import {
  type CommandContext,
  Context,
  type ContextDependencies,
  type ContextInput,
  type RequestContext,
  type Viewer,
} from '#kernel/context.ts';

/** Makes the contexts of work that is no request to the API. */
export interface Contexts {
  /** For work without a request, such as the operator's command line. `rule` names it in the log. */
  systemContext: (rule: string) => CommandContext;
  /** For a page opened without a token; in the name of the signed-in user, if given. */
  pageContext: (ip: string, viewer?: Viewer, locale?: string) => RequestContext;
  /** For a command that may come again, in the name of `rule`. */
  commandContext: (rule: string, command: Partial<ContextInput>) => CommandContext;
}

/** The dependencies are asked for at each use, because services among them need contexts themselves. */
export function contextsOf(dependencies: () => ContextDependencies): Contexts {
  const create = (input: Partial<ContextInput>): Context =>
    new Context(dependencies(), { requestId: randomUUID(), ip: '', locale: undefined, ...input });
  return {
    systemContext: (rule) => create({ rule }),
    pageContext: (ip, viewer, locale) => create({ ip, viewer, locale }),
    commandContext: (rule, command) => create({ rule, ...command }),
  };
}
