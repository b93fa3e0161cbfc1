import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { languageCode } from '#mastodon/language.ts';

const LANGUAGES = statement<{ language: string | null; locale: string }>(
  'trends_languages',
  'select language, locale from users where account_id = $1',
);

/**
 * Returns the languages whose trends a viewer sees first: those of their settings, or the first one that the
 * browser sends; without a region, because most posts have none.
 */
export async function preferredLanguages(ctx: RequestContext): Promise<string[]> {
  const asked = ctx.locale?.split(/[,;]/, 1)[0];
  const [user] = ctx.viewer ? await ctx.db.query(LANGUAGES, [ctx.viewer.account_id]) : [];
  const tags = user ? [user.language, user.locale] : [asked];
  const codes = tags.map((tag) => languageCode(tag)).filter((code) => code !== null);
  return [...new Set(codes.flatMap((code) => [code, code.split('-', 1)[0] ?? code]))];
}
