import { z } from 'zod';
import { normalizeTag } from '../../src/kernel/normalize-tag.ts';
import { visibility, type Visibility } from '../../src/events/accounts.ts';
import { statusStream, type StatusEvent } from '../../src/events/statuses.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { endpoint } from '../../src/kernel/endpoint.ts';
import { invalid, notFound } from '../../src/kernel/errors.ts';
import { formBoolean, idParam } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { postingFacts, statusText, type PostingFacts } from '../../queries/statuses/index.ts';
import { statusSchema } from '../../queries/entities/schemas/index.ts';
import { languageCode } from '../../src/kernel/language.ts';
import { status } from './status.ts';
import { countCharacters } from '../text/count.ts';
import { extractHashtags, extractMentions, handleKey } from '../text/extract.ts';
import { formatStatus } from '../text/format.ts';

/** https://docs.joinmastodon.org/user/posting/#text */
export const MAX_CHARACTERS = 500;

const body = z.object({
  status: z.string().max(100_000).nullable().optional(),
  in_reply_to_id: idParam.nullable().optional().catch(null),
  sensitive: formBoolean.optional(),
  spoiler_text: z.string().max(100_000).nullable().optional(),
  visibility: visibility.nullable().optional(),
  language: z.string().max(35).nullable().optional(),
});
type Input = z.infer<typeof body>;

export interface PostStatus {
  id: string;
  now: string;
  account: { id: string; username: string };
  origin: string;
  application: { id: string; name: string; website: string | null } | null;
  input: Input;
}

export const createStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses',
  summary: 'Post a status',
  auth: 'user',
  scopes: ['write:statuses'],
  body,
  limit: 'statuses',
  reply: statusSchema,
  handler: async (ctx, { body: input }) => {
    const facts = await gather(ctx, input);
    const id = ctx.newId();
    const command: PostStatus = {
      id,
      now: ctx.now,
      account: { id: ctx.viewer.account_id, username: ctx.viewer.username },
      origin: ctx.instance.origin,
      application: facts.application,
      input,
    };
    await ctx.execute(statusStream(id), status, () => decideCreate(command, facts), { isNew: true });
    await ctx.settle([MAIN]);
    return { text: await statusText(ctx, id) };
  },
});

async function gather(ctx: UserContext, input: Input): Promise<PostingFacts> {
  const handles = extractMentions(input.status ?? '').map(handleKey);
  if (input.in_reply_to_id != null) await ctx.settle([MAIN]);
  return postingFacts(ctx.db, ctx.instance, {
    accountId: ctx.viewer.account_id,
    applicationId: ctx.token.application_id,
    inReplyToId: input.in_reply_to_id ?? null,
    handles,
  });
}

/** A new post, or why not. Pure. */
export function decideCreate(command: PostStatus, facts: PostingFacts): StatusEvent[] {
  const { id, now, account, origin, input } = command;
  const spoiler = (input.spoiler_text ?? '').trim();
  // A warning without a text is the text, as in Mastodon.
  const given = (input.status ?? '').trim();
  const [text, spoilerText] = given === '' ? [spoiler, ''] : [given, spoiler];
  if (text === '') throw invalid("Validation failed: Text can't be blank");
  if (countCharacters({ text, spoilerText }) > MAX_CHARACTERS) {
    throw invalid(`Validation failed: Text character limit of ${MAX_CHARACTERS} exceeded`);
  }
  if (input.in_reply_to_id != null && !facts.parent) throw notFound();
  const mentions = extractMentions(text).flatMap((handle) => facts.mentioned.get(handleKey(handle)) ?? []);
  const self = `${origin}/users/${account.username}`;
  return [
    {
      type: 'StatusCreated',
      data: {
        id,
        account_id: account.id,
        local: true,
        uri: `${self}/statuses/${id}`,
        url: `${origin}/@${account.username}/${id}`,
        created_at: now,
        text,
        content: formatStatus(text, { origin, mentions: facts.mentioned }),
        spoiler_text: spoilerText,
        visibility: visibilityOf(input, facts),
        sensitive: (input.sensitive ?? facts.defaults.sensitive) || spoilerText !== '',
        language: languageCode(input.language) ?? facts.defaults.language,
        in_reply_to_id: facts.parent?.id ?? null,
        in_reply_to_account_id: facts.parent?.account_id ?? null,
        mentions: [
          ...new Map(
            mentions.map(({ id, username, acct, url }) => [id, { id, username, acct, url }]),
          ).values(),
        ],
        tags: extractHashtags(text).map((name) => ({ name, normal: normalizeTag(name) })),
        application: command.application,
      },
    },
  ];
}

const visibilityOf = (input: Input, facts: PostingFacts): Visibility =>
  input.visibility ?? facts.defaults.privacy;
