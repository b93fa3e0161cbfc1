import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRookeryError, notFound } from '#kernel/errors.ts';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import type {
  CacheUsage,
  FoundOfFile,
  KnownFile,
  RemoteMediaCache,
  ServedFile,
} from '#kernel/services/remote-media.ts';
import {
  REMOTE_MEDIA_VARIANTS,
  remoteMediaDigest,
  type RemoteMediaId,
  type RemoteMediaVariant,
} from '#mastodon/remote-media.ts';
import type { Database } from '#storage/postgres/db.ts';
import type { Programs } from '../ffmpeg.ts';
import { notYet, RemoteFileFetcher } from './fetcher.ts';
import { bytesOf, type CacheFiles, type Content, keyOf } from './files.ts';
import { identifyVideo } from './identify.ts';
import { CacheLedger, type LeavingFile, type NewFile } from './ledger.ts';
import { Loan } from './loan.ts';
import type { Rendered } from './rendered.ts';

/** The cache's queries to the read models. */
export interface CacheFacts {
  /** Returns a file's address and its place in the cache; undefined when no account or post may show it. */
  shown(id: RemoteMediaId): Promise<ShownFile | undefined>;
  /** False for hosts of blocked domains. */
  mayFetchFrom(host: string): Promise<boolean>;
  /** Yields the cached files that nothing shows any longer, page by page. */
  unshown(): AsyncIterable<Pick<RemoteMediaId, 'kind' | 'digest'>[]>;
  /** Returns the known ones among the names of stored files. */
  knownKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface ShownFile {
  url: string;
  kept: { key: string; bytes: number; variant: RemoteMediaVariant; seenLongAgo: boolean } | undefined;
}

export interface CacheOptions {
  db: Database;
  http: HttpClient;
  files: CacheFiles;
  programs: Programs;
  /** Bytes; 0 turns the cache off. */
  budget: number;
  fetchesOnArrival: boolean;
  facts: CacheFacts;
  /** Called with the properties of a rendered file. */
  onFound: (file: KnownFile, found: FoundOfFile) => Promise<void>;
  onError: (error: unknown) => void;
  /** Milliseconds that a request waits for a file. */
  patience?: number;
}

type Outcome = { key: string } | Loan;
interface Flight {
  outcome: Promise<Outcome>;
  waiting: number;
}

const PATIENCE = 25_000;
/** Milliseconds for a look into a video, in which its post waits. */
const IDENTIFY_DEADLINE = 3_000;
/** Bytes: videos that are made for streaming describe their tracks first. */
const BEGINNING = 262_144;
/** An older file without a row is an orphan. Milliseconds. */
const ORPHANED_AFTER = 3 * 3_600_000;
/** Bytes. Below it, transcoding a video for one view is refused, since the result might not fit. */
const ROOM_FOR_VIDEOS = 500_000_000;

/** The decoders take memory, so they are loaded with the first file. */
const loadRenderer = memoizeAsync(() => import('./render.ts'));

/** Fetches, renders and caches remote files; `docs/decisions/0701-remote-media-cache.md`. */
export class RemoteMedia implements RemoteMediaCache {
  readonly fetchesOnArrival: boolean;
  readonly #options: CacheOptions;
  readonly #fetcher: RemoteFileFetcher;
  readonly #ledger: CacheLedger;
  readonly #flights = new Map<string, Flight>();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.fetchesOnArrival = options.fetchesOnArrival && options.budget > 0;
    this.#fetcher = new RemoteFileFetcher(options.http);
    this.#ledger = new CacheLedger({ ...options, remove: (key) => options.files.remove(key) });
  }

  async serve(id: RemoteMediaId, admit?: () => Promise<unknown>): Promise<ServedFile> {
    const shown = await this.#options.facts.shown(id);
    if (!shown) throw notFound();
    const { kept, url } = shown;
    if (kept) {
      if (await this.#options.files.has(kept.key, kept.bytes)) {
        if (kept.seenLongAgo) this.#ledger.seen(id, kept.key).catch(this.#options.onError);
        return { key: kept.key };
      }
      await this.#ledger.abandon({ ...id, ...kept });
    }
    await admit?.();
    return this.#awaited({ ...id, url });
  }

  async prepare(file: KnownFile): Promise<FoundOfFile | undefined> {
    const id = { kind: file.kind, digest: remoteMediaDigest(file.url) };
    try {
      return await this.#inFolder(async (folder) => {
        const path = await this.#download(file, folder, AS_JOB);
        let found: FoundOfFile | undefined;
        for (const variant of REMOTE_MEDIA_VARIANTS[file.kind]) {
          const rendered = await this.#render(
            path,
            { ...id, ...file, variant },
            { folder, onBehalf: AS_JOB },
          );
          found ??= rendered.found;
          await this.#keep(rendered, { ...id, ...file, variant });
          if (rendered.still) break;
        }
        return found ?? { blurhash: null, meta: {} };
      });
    } catch (error) {
      // Other servers fail in every way. The queue is never full for a job, and a full disk is thrown.
      if (isRookeryError(error)) return undefined;
      throw error;
    }
  }

  async identify(url: string): Promise<FoundOfFile | undefined> {
    try {
      if (!(await this.#options.facts.mayFetchFrom(new URL(url).hostname))) return undefined;
      const signal = AbortSignal.timeout(IDENTIFY_DEADLINE);
      const beginning = await this.#fetcher.begin(url, BEGINNING, signal);
      return await this.#inFolder((folder) =>
        identifyVideo(beginning, { folder, programs: this.#options.programs, signal }),
      );
    } catch {
      // The file is looked at again when it is fetched.
      return undefined;
    }
  }

  async forget(files: readonly KnownFile[]): Promise<void> {
    await this.#ledger.forget(files.map(({ kind, url }) => ({ kind, digest: remoteMediaDigest(url) })));
  }

  forgetUnseen(
    ...chosen: Parameters<RemoteMediaCache['forgetUnseen']>
  ): ReturnType<RemoteMediaCache['forgetUnseen']> {
    return this.#ledger.forgetUnseen(...chosen);
  }

  async tidy(): Promise<void> {
    const { facts, files } = this.#options;
    await this.#ledger.tidy();
    for await (const page of facts.unshown()) await this.#ledger.forget(page);
    if (!files.olderThan) return;
    let page: string[] = [];
    const removeUnknown = async (): Promise<void> => {
      const known = await facts.knownKeys(page);
      await Promise.all(page.filter((key) => !known.has(key)).map((key) => files.remove(key)));
      page = [];
    };
    for await (const key of files.olderThan(Date.now() - ORPHANED_AFTER)) {
      page.push(key);
      if (page.length >= 500) await removeUnknown();
    }
    await removeUnknown();
  }

  usage(): Promise<CacheUsage> {
    return this.#ledger.usage();
  }

  /** Concurrent requests for the same file share one fetch. */
  async #awaited(file: RemoteMediaId & KnownFile): Promise<ServedFile> {
    const name = `${file.kind}/${file.digest}/${file.variant}`;
    const flight = this.#flights.get(name) ?? this.#depart(name, file);
    flight.waiting += 1;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), this.#options.patience ?? PATIENCE);
    try {
      const outcome = await Promise.race([flight.outcome, late]);
      if (outcome) return asServed(outcome);
    } finally {
      clearTimeout(timer);
    }
    if (this.#flights.get(name) === flight) flight.waiting -= 1;
    // It arrived at the same moment.
    else void flight.outcome.then((outcome) => outcome instanceof Loan && outcome.release()).catch(ignore);
    throw notYet(10);
  }

  #depart(name: string, file: RemoteMediaId & KnownFile): Flight {
    const arrive = (): number => {
      this.#flights.delete(name);
      return flight.waiting;
    };
    const flight: Flight = { waiting: 0, outcome: this.#fetched(file, arrive) };
    this.#flights.set(name, flight);
    // A failure after the last waiter left is no unhandled rejection.
    flight.outcome.catch(ignore);
    return flight;
  }

  /** @param arrive called when no more requests can join; returns the number of waiting ones */
  async #fetched(file: RemoteMediaId & KnownFile, arrive: () => number): Promise<Outcome> {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-remote-'));
    const remove = (): void => void rm(folder, { recursive: true, force: true }).catch(ignore);
    try {
      this.#fetcher.assertHopeful(file.url, useOf(file));
      const path = await this.#download(file, folder);
      const rendered = await this.#render(path, file, { folder });
      const key = await this.#keep(rendered, file);
      if (key !== undefined) {
        arrive();
        remove();
        return { key };
      }
      const lent = await onDisk(rendered.content, folder);
      return new Loan({ path: lent, extension: rendered.file.extension }, arrive(), remove);
    } catch (error) {
      arrive();
      remove();
      throw error;
    }
  }

  async #download({ url, kind }: KnownFile, folder: string, onBehalf: OnBehalf = {}): Promise<string> {
    if (!(await this.#options.facts.mayFetchFrom(new URL(url).hostname))) throw notFound();
    const { MAX_BYTES } = await loadRenderer();
    const path = join(folder, 'fetched');
    await this.#fetcher.fetch(url, { into: path, maxBytes: MAX_BYTES[kind], onBehalf });
    return path;
  }

  async #render(
    path: string,
    file: RemoteMediaId & KnownFile,
    { folder, onBehalf }: { folder: string; onBehalf?: OnBehalf },
  ): Promise<Rendered> {
    const { programs, budget, onFound, onError } = this.#options;
    const { renderRemote } = await loadRenderer();
    try {
      const rendered = await renderRemote(path, {
        kind: file.kind,
        variant: file.variant,
        host: new URL(file.url).host,
        programs,
        folder,
        onBehalf,
        quickly: budget < ROOM_FOR_VIDEOS,
      });
      if (rendered.found) await onFound(file, rendered.found).catch(onError);
      return rendered;
    } catch (error) {
      if (!isRookeryError(error) || error.code !== 'invalid') throw error;
      this.#fetcher.noteUnusable(file.url, useOf(file));
      throw notFound();
    }
  }

  /** @returns its key; undefined without room, or when another process caches it already */
  async #keep(rendered: Rendered, file: RemoteMediaId & KnownFile): Promise<string | undefined> {
    if (this.#options.budget === 0) return undefined;
    const { content, still, variant } = rendered;
    const stored = { ...rendered.file, owner: `${file.kind}/${file.digest}/${variant}` };
    const entry: NewFile = {
      kind: file.kind,
      digest: file.digest,
      variant,
      still,
      class: variant === 'small' ? 'previews' : file.kind,
      host: new URL(file.url).host,
      key: await keyOf(content, stored),
      bytes: await bytesOf(content),
    };
    if (!(await this.#ledger.reserve(entry))) return undefined;
    return this.#written(entry, () => this.#options.files.write(entry.key, content, stored));
  }

  async #written(entry: NewFile, write: () => Promise<void>): Promise<string | undefined> {
    try {
      await write();
    } catch (error) {
      await this.#abandon(entry);
      throw error;
    }
    if (await this.#ledger.keep(entry)) return entry.key;
    await this.#options.files.remove(entry.key);
    return undefined;
  }

  async #abandon(entry: LeavingFile): Promise<void> {
    await this.#ledger.abandon(entry).catch(this.#options.onError);
  }

  async #inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-remote-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Reactors and jobs prepare files, a bounded number at a time: they wait behind any number of requests. */
const AS_JOB: OnBehalf = { owner: 'server', isJob: true };

const useOf = ({ kind, variant }: RemoteMediaId): string => `${kind}/${variant}`;
const ignore = (): void => undefined;

const asServed = (outcome: Outcome): ServedFile =>
  outcome instanceof Loan
    ? { path: outcome.path, extension: outcome.extension, release: () => outcome.release() }
    : outcome;

async function onDisk(content: Content, folder: string): Promise<string> {
  if (typeof content === 'string') return content;
  const path = join(folder, 'rendered');
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
