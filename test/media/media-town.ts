import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cacheFolderOf } from '#adapters/media/cache/files.ts';
import { account } from '#commands/accounts/index.ts';
import { accountStream, type Profile } from '#events/accounts.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { type RemoteAccount, type RemoteServer, startRemoteServer } from '../federation/remote-server.ts';
import { FEDERATING, HERE } from '../support/inbox.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

/** This server, and another one that has files. */
export class MediaTown {
  server!: TestServer;
  far!: RemoteServer;
  alice!: TestUser;
  author!: RemoteAccount;
  #posts = 0;

  async start(env: Record<string, string> = {}): Promise<void> {
    this.server = await startTestServer({ ...FEDERATING, ...env });
    this.far = await startRemoteServer(this.server, 'far.example');
    this.alice = await this.server.user('alice');
    this.author = await this.far.account('author');
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.far.peer.close()]);
  }

  /** Serves a file. @returns its address there */
  file(path: string, data: Buffer, type = 'image/png'): string {
    return this.far.peer.put(path, (_req, res) => void res.set('Content-Type', type).send(data));
  }

  asked(path: string): number {
    return this.far.peer.asked.filter((each) => each.path === path).length;
  }

  attachment(url: string, changes: Partial<MediaAttachmentData> = {}): MediaAttachmentData {
    return {
      id: this.server.app.systemContext('spec').newId(),
      type: 'image',
      file: url,
      preview: url,
      remote_url: url,
      meta: null,
      description: null,
      blurhash: null,
      ...changes,
    };
  }

  async post(
    media: MediaAttachmentData[],
    more: { emojis?: { shortcode: string; url: string }[]; content?: string } = {},
  ): Promise<Status> {
    const { id } = await this.far.post(this.author, `post-${(this.#posts += 1)}`, { media, ...more });
    return this.show(id);
  }

  async show(id: string): Promise<Status> {
    await this.server.waitUntilIdle();
    const { body } = await this.server.call('GET', `/api/v1/statuses/${id}`, { token: this.alice.token });
    return body as Status;
  }

  async profile(changes: Partial<Profile>): Promise<Record<string, string>> {
    const events = [{ type: 'AccountUpdated' as const, data: { id: this.author.id, ...changes } }];
    await this.server.app.systemContext('spec').execute(accountStream(this.author.id), account, () => events);
    await this.server.waitUntilIdle();
    return (await this.server.call('GET', `/api/v1/accounts/${this.author.id}`)).body as Record<
      string,
      string
    >;
  }

  /** Requests an address of this server. */
  async fetch(url: string | null | undefined, headers: Record<string, string> = {}) {
    expect(url).to.match(new RegExp(`^${HERE}/media_proxy/`));
    const response = await fetch(`${this.server.url}${new URL(url ?? '').pathname}`, { headers });
    const data = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, data };
  }

  /** The size of all cached files on the disk, in bytes. */
  async onDisk(): Promise<number> {
    const folder = cacheFolderOf(this.server.app.config.dataDir);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const sizes = entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
    return (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  }
}
