import type { Request, RequestHandler } from 'express';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { Reply } from '#kernel/endpoint.ts';
import { notFound, unauthorized } from '#kernel/errors.ts';
import { federationAllowed, type Signer } from '#queries/federation/index.ts';
import { sendRedirect } from '../http/redirect.ts';
import { sendReply } from '../http/reply.ts';
import type { Document } from './documents/contexts.ts';
import type { SenderAddress } from './inbox/admission.ts';
import type { Federation } from './index.ts';
import { ACTIVITY_JSON, wantsDocument } from './negotiation.ts';

export interface FederationDependencies {
  instance: Instance;
  federation: Federation;
  /** Returns a context without an actor. */
  context: (req: Request) => CommandContext;
  /** Counts the request. @throws RookeryError `too_many_requests` */
  limit: (req: Request) => Promise<unknown>;
  /** Returns the address of a delivery's sender. */
  sender: (req: Request) => SenderAddress;
}

/** A request for a document. */
export interface DocumentRequest {
  ctx: CommandContext;
  instance: Instance;
  keys: Federation['keys'];
  /**
   * Returns the verified signer of the request; called only when the reply depends on it. @throws RookeryError
   * `not_found` for a signer of a server that staff suspended
   */
  signer: () => Promise<Signer | undefined>;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The document, not the page. */
  document: boolean;
}

export type DocumentResponse = Reply | { redirect: string };

/**
 * Serves documents for other servers. When a document and a page share an address, caches must distinguish
 * them.
 */
export const serveDocument =
  (
    dependencies: FederationDependencies,
    handler: (asked: DocumentRequest) => Promise<DocumentResponse>,
  ): RequestHandler =>
  async (req, res) => {
    const { instance, federation } = dependencies;
    await dependencies.limit(req);
    const ctx = dependencies.context(req);
    if (instance.limitedFederation) await assertAllowed(ctx, await federation.signerOf(req));
    const answer = await handler({
      ctx,
      instance,
      keys: federation.keys,
      signer: async () => allowedSigner(ctx, await federation.signerOf(req)),
      params: req.params as Record<string, string>,
      query: queryOf(req),
      document: wantsDocument(req.headers.accept),
    });
    if (!('redirect' in answer)) {
      sendReply(req, res, answer, { Vary: 'Accept, Signature, Signature-Input' });
      return;
    }
    res.set({ Vary: 'Accept', 'Cache-Control': 'private, no-store' });
    sendRedirect(res, 302, answer.redirect);
  };

/** The key of a server may be known from before its suspension. */
async function allowedSigner(ctx: CommandContext, signer: Signer | undefined): Promise<Signer | undefined> {
  if (signer && !(await federationAllowed(ctx, signer.host))) throw notFound();
  return signer;
}

/**
 * In limited federation mode, accounts and posts are for servers that staff allowed. @throws RookeryError
 * `unauthorized`
 */
async function assertAllowed(ctx: CommandContext, signer: Signer | undefined): Promise<void> {
  if (signer && (await federationAllowed(ctx, signer.host))) return;
  throw unauthorized('This server federates with few others only');
}

export const queryOf = (req: Request): URLSearchParams => {
  const mark = req.url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : req.url.slice(mark + 1));
};

/** Returns a document as a reply, which is cached only if it is the same for everyone. */
export const documentReply = (document: Document, status = 200): Reply => ({
  json: document,
  status,
  headers: { 'Content-Type': `${ACTIVITY_JSON}; charset=utf-8` },
});

/** Allows caching for three minutes, like other servers: keys and names change rarely. */
export const cacheable = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'Cache-Control': 'public, max-age=180' },
});
