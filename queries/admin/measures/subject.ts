import { z } from 'zod';
import type { UserContext } from '#kernel/context.ts';
import { isRookeryError, parameterMissing } from '#kernel/errors.ts';
import { idParam, orNothing } from '#kernel/input.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { tagOfId } from '#queries/trends/index.ts';

/** The subject of a metric: this server, a hashtag, or the server of a domain. */
export type SubjectKind = 'here' | 'tag' | 'domain';

const PARAMETERS = {
  tag: z.object({ id: idParam.optional().describe('The ID of the hashtag.') }).nullish(),
  domain: z
    .object({
      domain: z.string().max(1_000).optional().describe('The domain of the server.'),
      id: idParam.optional().describe('Names no server, so that all figures are zero.'),
    })
    .nullish(),
};

const ABOUT = { tag: 'The hashtag to count for', domain: 'The server to count for' };

/** The parameters of metrics, `tag_uses[id]` or `instance_accounts[domain]`, for `subjectOf` to read. */
export const subjectParameters = (kinds: Readonly<Record<string, SubjectKind>>): object =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([key, kind]) =>
      kind === 'here'
        ? []
        : [
            [
              key,
              orNothing(PARAMETERS[kind]).describe(
                `${ABOUT[kind]}, which must be there where \`keys\` names \`${key}\`.`,
              ),
            ],
          ],
    ),
  );

interface Subject {
  id?: string | undefined;
  domain?: string | undefined;
}

/**
 * Returns the normal name of the hashtag, or the canonical domain, that a metric is about; null for this
 * server. An unknown subject has figures too, all zero. @throws RookeryError `bad_request` for a missing
 * subject, `invalid` for an invalid domain
 */
export async function subjectOf(
  ctx: UserContext,
  key: string,
  kind: SubjectKind,
  given: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  if (kind === 'here') return null;
  const subject = given[key] as Subject | null | undefined;
  if (!subject || Object.keys(subject).length === 0) throw parameterMissing(key);
  if (kind === 'tag') return subject.id === undefined ? NOTHING : tagOrNothing(ctx, subject.id);
  return subject.domain?.trim() ? domainOf(subject.domain) : NOTHING;
}

/** A name that no hashtag and no server has. */
const NOTHING = '';

async function tagOrNothing(ctx: UserContext, id: string): Promise<string> {
  try {
    return await tagOfId(ctx, id);
  } catch (error) {
    if (isRookeryError(error) && error.code === 'not_found') return NOTHING;
    throw error;
  }
}
