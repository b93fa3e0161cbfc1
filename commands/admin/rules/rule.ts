import type { UserContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import type { Rule } from '#mastodon/schemas/index.ts';
import { rulesOf } from '#queries/instance/index.ts';

/** Throws RookeryError `not_found`. */
export async function requireRule({ db }: UserContext, id: string): Promise<Rule> {
  const rule = (await rulesOf(db)).find((each) => each.id === id);
  if (!rule) throw notFound();
  return rule;
}
