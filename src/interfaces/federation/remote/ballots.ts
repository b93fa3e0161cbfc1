import type { CommandContext, Instance } from '#kernel/context.ts';
import { ownIdIn, pollOptions, postOfUri } from '#queries/federation/index.ts';
import { type Foreign, idOf, listOf, naturalText, typesOf } from './json.ts';

const MAX_TITLE = 5_000;

/** A vote for one option, by its title, in the poll of a local post. */
export interface Ballot {
  /** The URI of the post. */
  uri: string;
  title: string;
}

/**
 * Returns the vote that a note is, or undefined for a post. The name decides: a note with the name of an option is a vote, whatever its
 * text says, also when the poll has ended. https://docs.joinmastodon.org/spec/activitypub/#poll-specific-properties
 */
export async function ballotOf(
  { ctx, instance }: { ctx: Pick<CommandContext, 'db'>; instance: Instance },
  document: Foreign,
): Promise<Ballot | undefined> {
  const title = naturalText(document, 'name', MAX_TITLE);
  const uri = idOf(listOf(document['inReplyTo'], 1)[0]);
  if (!typesOf(document).includes('Note') || title === '' || uri === undefined) return undefined;
  if (ownIdIn(uri, instance) === null) return undefined;
  const ballot = { uri, title };
  // A name without a text is a vote, whatever it replies to.
  if (naturalText(document, 'content', 1) === '') return ballot;
  const post = await postOfUri(ctx.db, instance, uri);
  const options = post?.poll_id == null ? [] : await pollOptions(ctx.db, post.poll_id);
  return options.includes(title) ? ballot : undefined;
}
