import { relationshipStream } from '../../src/events/relationships.ts';
import { decideSever } from './follow.ts';
import { relationship, type Pair } from './relationship.ts';
import { useCase } from '../use-case.ts';

/** Ends all follows between two accounts, including requests. May run again. */
export const sever = useCase({
  stream: ({ account_id, target_account_id }: Pair) => relationshipStream(account_id, target_account_id),
  decider: relationship,
  decide: decideSever,
});
