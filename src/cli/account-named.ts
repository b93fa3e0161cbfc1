import { holderOfUsername } from '#commands/accounts/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Operator } from './operator.ts';

/** Returns the id of a local account. @throws RookeryError `not_found` */
export async function accountNamed({ ctx }: Operator, name: string): Promise<string> {
  const id = await holderOfUsername(ctx, name);
  if (id === undefined) throw new RookeryError('not_found', `There is no local account @${name}`);
  return id;
}
