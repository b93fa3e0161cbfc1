import type { CommandContext, Executed } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { executeWithinQuota, type Quota } from './quotas/index.ts';

/** One change of one stream. The parts run in this order. */
export interface UseCaseDefinition<Input, Command, State, Event extends DomainEvent, Facts, Usage> {
  /** Turns the input into the command: draws ids, takes the time, reads what every caller needs. Runs once. */
  prepare?: (ctx: CommandContext, input: Input) => Command | Promise<Command>;
  stream: (command: Command) => string;
  decider: Decider<State, Event>;
  /** Reads facts that must not be older than the state; runs again at each attempt. Excludes `quota`. */
  gather?: (ctx: CommandContext, command: Command, state: State) => Facts | Promise<Facts>;
  /** Pure. */
  decide: (state: State, command: Command, facts: Facts) => readonly Event[];
  /** Limits the number of things that have streams of their own. */
  quota?: (ctx: CommandContext, command: Command) => Quota<State, Usage>;
  /** The stream carries a fresh id. */
  isNew?: boolean;
  /** Distinguishes several runs within one request. */
  step?: (command: Command) => string;
}

export type UseCase<Input, State, Event extends DomainEvent> = (
  ctx: CommandContext,
  input: Input,
) => Promise<Executed<State, Event>>;

/** Tells whether a run appended anything. */
export const changedAnything = async (run: Promise<{ events: readonly unknown[] }>): Promise<boolean> =>
  (await run).events.length > 0;

/**
 * Makes a use case, which every entry point calls: REST, pages, the inbox, reactors, the command line.
 * It throws what its parts throw. Decision 1015 says which commands have one.
 */
export function useCase<
  Command,
  State,
  Event extends DomainEvent,
  Facts = undefined,
  Usage = never,
  Input = Command,
>(definition: UseCaseDefinition<Input, Command, State, Event, Facts, Usage>): UseCase<Input, State, Event> {
  const { prepare, stream, decider, gather, decide, quota, isNew = false, step } = definition;
  if (quota && gather) throw new Error('A use case with a quota reads its facts in prepare, not in gather');
  return async (ctx, input) => {
    const command = prepare ? await prepare(ctx, input) : (input as unknown as Command);
    const name = stream(command);
    const options = { isNew, ...(step ? { step: step(command) } : {}) };
    const decideCommand = (state: State, facts: Facts): readonly Event[] => decide(state, command, facts);
    if (quota) {
      const decideAlone = (state: State): readonly Event[] => decideCommand(state, undefined as Facts);
      const limited = { stream: name, decider, decide: decideAlone, quota: quota(ctx, command) };
      return executeWithinQuota(ctx, { ...limited, ...options });
    }
    if (!gather) return ctx.execute(name, decider, decideCommand, options);
    const gatherFacts = async (state: State): Promise<Facts> => gather(ctx, command, state);
    return ctx.execute(name, decider, decideCommand, { ...options, gather: gatherFacts });
  };
}
