import { createHash, createVerify } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Request, Response } from 'express';
import { account } from '#commands/accounts/index.ts';
import { type RemoteStatus, upsertRemoteStatus } from '#commands/federation/index.ts';
import { type AccountEvent, accountStream, emptyProfile } from '#events/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Peer, startPeer } from '../support/peer.ts';
import type { TestServer } from '../support/server.ts';

export const ORIGIN = 'http://rookery.example';
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

// Specs read members of many different activities.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** An activity that arrived at an inbox with a valid signature. */
export interface Arrival {
  /** The path of the inbox. */
  inbox: string;
  activity: Json;
}

export interface RemoteAccount {
  id: string;
  uri: string;
}

/** A remote server that accepts only activities signed by their actor. */
export interface RemoteServer {
  peer: Peer;
  domain: string;
  arrivals: Arrival[];
  /** The reasons why it refused requests. */
  refused: string[];
  /** Returns and forgets the activities that arrived. */
  news(): Arrival[];
  /** Makes an account known at home. It has a shared inbox unless `shared` is false. */
  account(name: string, options?: { shared?: boolean }): Promise<RemoteAccount>;
  /** Makes a public post of one of its accounts known at home. Returns its id and URI. */
  post(
    author: RemoteAccount,
    name: string,
    data?: Partial<RemoteStatus>,
  ): Promise<{ id: string; uri: string }>;
}

export async function startRemoteServer(home: TestServer, domain: string): Promise<RemoteServer> {
  const peer = await startPeer();
  const arrivals: Arrival[] = [];
  const refused: string[] = [];
  const take = async (req: Request, res: Response): Promise<void> => {
    const body = await buffer(req);
    const wrong = await wrongWith(req, body, home.url);
    if (wrong === undefined) {
      const activity = JSON.parse(body.toString());
      if (activity.type === 'Update') rememberKey(activity, home.url);
      arrivals.push({ inbox: req.url, activity });
    } else refused.push(wrong);
    res.status(wrong === undefined ? 202 : 401).end();
  };
  const listen = (path: string): string => peer.put(path, (req, res) => void take(req, res));
  const sharedInbox = listen('/inbox');
  const { app } = home;
  return {
    peer,
    domain,
    arrivals,
    refused,
    news: () => arrivals.splice(0),
    async account(name, { shared = true } = {}) {
      const uri = peer.actor(name);
      const ctx = app.systemContext('spec');
      const id = ctx.newId();
      const events: AccountEvent[] = [
        {
          type: 'AccountCreated',
          data: { id, username: name, domain, uri, url: uri, created_at: ctx.now, ...emptyProfile },
        },
        {
          type: 'RemoteInboxesChanged',
          data: {
            account_id: id,
            inbox: listen(`/users/${name}/inbox`),
            shared_inbox: shared ? sharedInbox : null,
            followers_uri: `${uri}/followers`,
          },
        },
      ];
      await ctx.execute(accountStream(id), account, () => events);
      await ctx.waitForReadModels();
      return { id, uri };
    },
    async post(author, name, data = {}) {
      const ctx = app.systemContext('spec');
      const uri = `${peer.origin}/notes/${name}`;
      const id = await upsertRemoteStatus(ctx, {
        account_id: author.id,
        uri,
        url: uri,
        created_at: ctx.now,
        content: `<p>${name}</p>`,
        spoiler_text: '',
        sensitive: false,
        language: null,
        visibility: 'public',
        mentions: [],
        tags: [],
        media: [],
        poll: null,
        in_reply_to_id: null,
        in_reply_to_account_id: null,
        conversation_id: null,
        quote: null,
        quote_policy: 'nobody',
        ...data,
      });
      await ctx.waitForReadModels();
      return { id: id ?? '', uri };
    },
  };
}

type PublicKey = { id: string; publicKeyPem: string };

/** Other servers cache keys, because they cannot fetch the key of a deleted account. */
const keys = new Map<string, PublicKey>();

async function keyOf(address: string): Promise<PublicKey> {
  const known = keys.get(address);
  if (known) return known;
  const document = await fetch(address, { headers: { accept: 'application/activity+json' } });
  const { publicKey } = (await document.json()) as { publicKey: PublicKey };
  keys.set(address, publicKey);
  return publicKey;
}

/** Stores the new key that an actor announces with its former one. */
function rememberKey({ actor, object }: Json, home: string): void {
  if (object?.id === actor && object.publicKey)
    keys.set(`${home}${actor.slice(ORIGIN.length)}`, object.publicKey);
}

/**
 * Checks a signed POST with the key in the actor's document, as remote servers do. Returns the fault, if any.
 */
async function wrongWith(req: Request, body: Buffer, home: string): Promise<string | undefined> {
  const { headers } = req;
  const signature = String(headers['signature']);
  const [, keyId = '', names = '', value = ''] =
    /^keyId="([^"]+)",algorithm="rsa-sha256",headers="([^"]+)",signature="([^"]+)"$/.exec(signature) ?? [];
  const covered = names.split(' ');
  for (const name of ['(request-target)', 'host', 'date', 'digest', 'content-type']) {
    if (!covered.includes(name)) return `${name} is not signed: ${signature}`;
  }
  if (headers['digest'] !== `SHA-256=${createHash('sha256').update(body).digest('base64')}`) return 'digest';
  if (Math.abs(Date.now() - Date.parse(String(headers.date))) > 60_000) return 'date';
  const { actor } = JSON.parse(body.toString()) as { actor: string };
  if (keyId !== `${actor}#main-key`) return `${keyId} is not of ${actor}`;
  const publicKey = await keyOf(`${home}${actor.slice(ORIGIN.length)}`);
  const lines = covered.map((name) =>
    name === '(request-target)' ? `${name}: post ${req.url}` : `${name}: ${String(headers[name])}`,
  );
  const verified = createVerify('sha256')
    .update(lines.join('\n'))
    .verify(publicKey.publicKeyPem, value, 'base64');
  return verified && publicKey.id === keyId ? undefined : 'signature';
}

/** Waits until all deliveries that follow from earlier events are done. */
export async function delivered({ app, waitUntilIdle }: TestServer): Promise<void> {
  await waitUntilIdle();
  await eventually(async () => {
    const waiting = await app.db.query<{ inbox: string; attempts: number }>(
      'select inbox, attempts from durable.federation_deliveries',
    );
    if (waiting.length > 0) throw new Error(`Not delivered: ${JSON.stringify(waiting)}`);
  });
}
