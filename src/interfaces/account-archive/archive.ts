import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type NewTarFile, writeTarGz } from '#adapters/account-archive/tar.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { ignoreMissing } from '#kernel/files.ts';
import type { Id } from '#kernel/ids.ts';
import { archivedMedia, archivedPosts, markedUris } from '#queries/exports/index.ts';
import { type LocalActor, localActorById } from '#queries/federation/index.ts';
import { actorDocument } from '../federation/documents/actor.ts';
import { type Document, POST_CONTEXT } from '../federation/documents/contexts.ts';
import { activityDocument } from '../federation/documents/post.ts';

/** The folder of files in the archive, as Mastodon calls it. */
const MEDIA = 'media_attachments';

/** The contents of the archive, besides the actor. */
export interface ArchiveCounts {
  posts: number;
  likes: number;
  bookmarks: number;
  files: number;
  /** Files that the media store does not have. */
  missing: number;
}

export interface ArchiveOptions {
  ctx: Pick<CommandContext, 'db' | 'instance' | 'services'>;
  accountId: Id;
  /** Where it goes; whole or not at all. */
  path: string;
  /** Transforms the bytes before they are written. */
  seal?: Transform;
  /** Told of each post and file, in this many steps so far. */
  onProgress?: (done: number) => void;
  /** A file that cannot be read counts as missing, rather than that there is no archive. */
  lenient?: boolean;
  signal?: AbortSignal;
}

/**
 * Writes everything that a local account has made as an archive in Mastodon's form
 * (https://docs.joinmastodon.org/user/moving/#export): `actor.json`, `outbox.json`, `likes.json`,
 * `bookmarks.json` and files. One post and part of a file are in memory at a time.
 * @throws RookeryError `not_found` for an unknown or remote account
 */
export async function writeArchive(options: ArchiveOptions): Promise<ArchiveCounts> {
  const { ctx, accountId, path, seal, signal } = options;
  const actor = await localActorById(ctx.db, accountId);
  if (!actor) throw notFound();
  const counts = { posts: 0, likes: 0, bookmarks: 0, files: 0, missing: 0 };
  const folder = await mkdtemp(join(dirname(path), '.archive-'));
  const temporary = join(folder, 'archive.tar.gz');
  try {
    const files = filesOf({ ...options, actor, folder, counts });
    await writeTarGz(temporary, files, { mode: 0o600, seal, signal });
    await rename(temporary, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return counts;
}

interface ArchiveRun extends ArchiveOptions {
  actor: LocalActor;
  /** For what has to be counted before it goes into the archive. */
  folder: string;
  counts: ArchiveCounts;
}

async function* filesOf(run: ArchiveRun): AsyncGenerator<NewTarFile> {
  const { ctx, accountId, counts, actor, onProgress, signal } = run;
  const { db, instance } = ctx;
  const advance = (): void => {
    signal?.throwIfAborted();
    onProgress?.(counts.posts + counts.files);
  };
  for await (const { file } of archivedMedia(db, accountId)) {
    const stored = await storedFile(run, file, `${MEDIA}/${file}`);
    if (stored) yield stored;
    counts[stored ? 'files' : 'missing'] += 1;
    advance();
  }
  yield* collection(run, 'outbox.json', async function* () {
    for await (const post of archivedPosts(db, accountId)) {
      yield withOwnFiles(activityDocument(post, instance), instance);
      counts.posts += 1;
      advance();
    }
  });
  for (const mark of ['likes', 'bookmarks'] as const) {
    yield* collection(run, `${mark}.json`, async function* () {
      for await (const uri of markedUris(db, accountId, mark)) {
        yield uri;
        counts[mark] += 1;
      }
    });
  }
  const pictures = [
    ['icon', 'avatar', actor.profile.avatar?.original],
    ['image', 'header', actor.profile.header?.original],
  ] as const;
  // A suspended user still gets their profile.
  const document = actorDocument(
    { ...actor, suspended: false },
    await ctx.services.actorKeys.publicKeys(accountId),
    instance,
  );
  for (const [member, name, place] of pictures) {
    const stored = place === undefined ? undefined : await storedFile(run, place, `${name}${extname(place)}`);
    if (!stored) continue;
    yield stored;
    document[member] = { ...(document[member] as Document), url: stored.name };
  }
  const own = { outbox: 'outbox.json', likes: 'likes.json', bookmarks: 'bookmarks.json' };
  yield { name: 'actor.json', data: Buffer.from(JSON.stringify({ ...document, ...own })) };
}

/** Undefined where it is not there, or went while it was opened. */
async function storedFile(
  { ctx, lenient = false }: ArchiveRun,
  key: string,
  name: string,
): Promise<NewTarFile | undefined> {
  try {
    const stored = await ctx.services.media.read(key);
    if (!stored) return undefined;
    // Before anything of it is in the archive.
    await once(stored.stream, 'readable');
    return { name, ...stored };
  } catch (error) {
    return lenient ? undefined : ignoreMissing(error);
  }
}

/** An ordered collection, written to a file first: how large it is stands before it in the archive. */
async function* collection(
  { folder }: ArchiveRun,
  name: string,
  items: () => AsyncIterable<unknown>,
): AsyncGenerator<NewTarFile> {
  const path = join(folder, name);
  async function* text(): AsyncGenerator<string> {
    const head = JSON.stringify({ '@context': POST_CONTEXT, id: name, type: 'OrderedCollection' });
    yield `${head.slice(0, -1)},"orderedItems":[`;
    let count = 0;
    for await (const item of items()) {
      yield `${count === 0 ? '' : ','}${JSON.stringify(item)}`;
      count += 1;
    }
    yield `],"totalItems":${count}}`;
  }
  await pipeline(Readable.from(text()), createWriteStream(path, { mode: 0o600 }));
  yield { name, size: (await stat(path)).size, stream: createReadStream(path) };
  await rm(path);
}

/** Local files are named by their place in the archive. */
function withOwnFiles(activity: Document, { mediaOrigin }: Instance): Document {
  const post = activity['object'];
  if (typeof post !== 'object' || post === null) return activity;
  const { attachment = [] } = post as { attachment?: { url: string }[] };
  const local = attachment.map((each) =>
    each.url.startsWith(`${mediaOrigin}/`)
      ? { ...each, url: `${MEDIA}/${each.url.slice(mediaOrigin.length + 1)}` }
      : each,
  );
  return { ...activity, object: { ...post, attachment: local } };
}
