import { rulesOf } from '../../../queries/instance/index.ts';
import type { UserContext } from '../../../src/kernel/context.ts';
import { notFound } from '../../../src/kernel/errors.ts';
import type { Rule } from '../../../src/mastodon/schemas/index.ts';

/** Throws RookeryError `not_found`. */
export async function requireRule({ db }: UserContext, id: string): Promise<Rule> {
  const rule = (await rulesOf(db)).find((each) => each.id === id);
  if (!rule) throw notFound();
  return rule;
}
