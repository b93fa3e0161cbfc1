import { findLink, headerLinks, type PageLink } from '#adapters/preview-cards/page-links.ts';
import type { Instance } from '#kernel/context.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#kernel/services/http-client.ts';
import { ACTIVITY_JSON, isActivityType } from '../negotiation.ts';
import { SignatureSchemes } from '../signatures/schemes.ts';
import type { RequestSigner, SignatureScheme } from '../signatures/sign.ts';
import { type Foreign, parseDocument } from './json.ts';
import { RemoteError } from './remote-error.ts';

/** A document and its id, which is at the origin that it came from. */
export interface RemoteDocument {
  id: string;
  document: Foreign;
}

interface FetchedDocument extends RemoteDocument {
  url: string;
}

interface DocumentRequest extends Pick<HttpRequest, 'maxRedirects' | 'accepts' | 'signal' | 'truncate'> {
  /** The header `Accept`, if it is not that of documents. */
  accept?: string;
}

/** The means of requests to other servers. */
export interface RemoteAccess {
  http: HttpClient;
  instance: Instance;
  /**
   * Returns true if this server federates with a host: in limited federation mode, only with hosts that staff
   * allowed.
   */
  allows: (host: string) => Promise<boolean>;
}

export interface DocumentsOptions extends RemoteAccess {
  /** Signs in the name of the server. */
  sign: RequestSigner;
  schemes?: SignatureSchemes;
  /** Called with each document that came from the address of its id. */
  onRead?: (remote: RemoteDocument) => void;
}

const MAX_URI = 2_048;
const MAX_REDIRECTS = 3;
const ACCEPT = `${ACTIVITY_JSON}, application/ld+json; profile="https://www.w3.org/ns/activitystreams"`;
const ACCEPT_PAGE = `${ACCEPT}, text/html;q=0.1`;

const isPageType = (type: string): boolean =>
  /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type.trim());

/** Tells whether a link of a page leads to its ActivityPub document. */
const namesDocument = ({ kinds, type }: PageLink): boolean =>
  kinds.includes('alternate') && isActivityType(type);

/**
 * Fetches documents of other servers, by https and with the server's own signature. A document counts only
 * when it came from the address that its id names (CVE-2024-23832): otherwise it is fetched once more, at the
 * id. This server itself is never asked: neither for its documents nor for files that users uploaded.
 */
export class RemoteDocuments {
  readonly #options: DocumentsOptions;

  readonly #schemes: SignatureSchemes;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#schemes = options.schemes ?? new SignatureSchemes();
  }

  /** Returns the same documents through another client. */
  through(http: HttpClient): RemoteDocuments {
    return new RemoteDocuments({ ...this.#options, http, schemes: this.#schemes });
  }

  /**
   * Fetches in the name of the server, unless `sign` signs for an account. @throws RemoteError, FetchError
   */
  async get(uri: string, signal?: AbortSignal, sign?: RequestSigner): Promise<RemoteDocument> {
    return this.#byItsId(await this.#fetch(this.assertForeign(uri), signal, sign), uri, signal, sign);
  }

  /** Returns a document that came from the address of its id; any other is fetched once more. */
  async #byItsId(
    first: FetchedDocument,
    uri: string,
    signal?: AbortSignal,
    sign?: RequestSigner,
  ): Promise<RemoteDocument> {
    if (first.id === first.url || first.id === uri) return this.#read(first);
    const second = await this.#fetch(this.assertForeign(first.id), signal, sign);
    if (second.id !== first.id) throw new RemoteError('has another id when asked by its id');
    return this.#read(second);
  }

  #read(remote: RemoteDocument): RemoteDocument {
    this.#options.onRead?.(remote);
    return remote;
  }

  /**
   * Fetches the document at an address, or the one that the page there names, in the name of the server. Only one page is read, and the
   * named document counts like one that was asked directly. @throws RemoteError, FetchError
   */
  async locate(uri: string, signal?: AbortSignal): Promise<RemoteDocument> {
    const first = await this.#fetchAny(this.assertForeign(uri), signal);
    return 'named' in first ? this.get(first.named, signal) : this.#byItsId(first, uri, signal);
  }

  /**
   * Returns true if the server of an address says that the document is gone for good. @throws RemoteError,
   * FetchError
   */
  isGone(uri: string, signal: AbortSignal): Promise<boolean> {
    return this.#isAnswered(uri, signal, [410]);
  }

  /**
   * Returns true if the document is missing, which is Mastodon's reply for deleted posts, or gone. @throws
   * RemoteError, FetchError
   */
  isMissing(uri: string, signal: AbortSignal): Promise<boolean> {
    return this.#isAnswered(uri, signal, [404, 410]);
  }

  async #isAnswered(uri: string, signal: AbortSignal, statuses: readonly number[]): Promise<boolean> {
    const url = this.assertForeign(uri);
    url.hash = '';
    await assertAllowed(this.#options, url.host);
    const { status } = await this.#ask(url, { maxRedirects: 0, signal });
    return statuses.includes(status);
  }

  /** Returns an address on another server. @throws RemoteError for any other text */
  assertForeign(uri: string): URL {
    const url = uri.length <= MAX_URI ? URL.parse(uri) : null;
    if (!url || !this.#isTaken(url)) throw new RemoteError('has an address that is not asked');
    return url;
  }

  async #fetch(url: URL, signal?: AbortSignal, sign?: RequestSigner): Promise<FetchedDocument> {
    const request = { accepts: isActivityType, ...(signal ? { signal } : {}) };
    return this.#documentIn(await this.#answered(url, request, sign));
  }

  /** Fetches a document, or the address of the document that a page names. */
  async #fetchAny(url: URL, signal?: AbortSignal): Promise<FetchedDocument | { named: string }> {
    const accepts = (type: string): boolean => isActivityType(type) || isPageType(type);
    const request = { accepts, truncate: true, accept: ACCEPT_PAGE, ...(signal ? { signal } : {}) };
    const answered = await this.#answered(url, request);
    const { headers, body } = answered.response;
    if (!isPageType(headers['content-type'] ?? '')) return this.#documentIn(answered);
    const link = headerLinks(headers['link'] ?? '').find(namesDocument);
    const href = (link ?? findLink(body.toString('utf8'), namesDocument))?.href;
    const named = href === undefined ? null : URL.parse(href, answered.from.href);
    if (!named) throw new RemoteError('is a page that names no document');
    return { named: named.href };
  }

  async #answered(
    url: URL,
    request: DocumentRequest,
    sign?: RequestSigner,
  ): Promise<{ response: HttpResponse; from: URL }> {
    url.hash = '';
    await assertAllowed(this.#options, url.host);
    const response = await this.#ask(url, { maxRedirects: MAX_REDIRECTS, ...request }, sign);
    if (response.status !== 200) {
      throw new RemoteError(`answers ${response.status}`, { status: response.status });
    }
    const from = this.assertForeign(response.url);
    from.hash = '';
    if (from.host !== url.host) await assertAllowed(this.#options, from.host);
    return { response, from };
  }

  #documentIn({ response, from }: { response: HttpResponse; from: URL }): FetchedDocument {
    const document = parseDocument(response.body.toString('utf8'), response.body);
    const { id } = document;
    if (typeof id !== 'string') throw new RemoteError('has no id');
    if (this.assertForeign(id).origin !== from.origin) throw new RemoteError('has an id of another origin');
    return { id, document, url: from.href };
  }

  /**
   * Requests with the signature scheme that the host accepts. Some servers verify signatures without the
   * query: after a 401 it is left out.
   */
  async #ask(
    url: URL,
    { accept = ACCEPT, ...request }: DocumentRequest,
    sign = this.#options.sign,
  ): Promise<HttpResponse> {
    const ask = (scheme: SignatureScheme, target: (step: URL) => URL): Promise<HttpResponse> =>
      this.#options.http.fetch(url.href, {
        ...request,
        headers: async (step) => {
          await this.#assertStep(step, url);
          return sign(target(step), { accept }, undefined, scheme);
        },
      });
    const asked = await this.#schemes
      .send(url.host, (scheme) => ask(scheme, (step) => step))
      .catch(unwrapRemoteError);
    if (asked.status !== 401 || new URL(asked.url).search === '') return asked;
    return ask('draft', withoutQuery).catch(unwrapRemoteError);
  }

  /** The target of a redirect is checked like the first address. @throws RemoteError */
  async #assertStep(step: URL, first: URL): Promise<void> {
    this.assertForeign(step.href);
    if (step.host !== first.host) await assertAllowed(this.#options, step.host);
  }

  #isTaken(url: URL): boolean {
    const { instance } = this.#options;
    // Other servers may lack https only where this one does, in development.
    const isSafe = url.protocol === 'https:' || instance.origin.startsWith('http:');
    const isOurs =
      url.host === new URL(instance.origin).host || url.host === new URL(instance.mediaOrigin).host;
    return /^https?:$/.test(url.protocol) && isSafe && !isOurs && url.username === '' && url.password === '';
  }
}

/** Returns the refusal inside of a failed request. */
function unwrapRemoteError(error: unknown): never {
  throw error instanceof Error && error.cause instanceof RemoteError ? error.cause : error;
}

function withoutQuery(url: URL): URL {
  const path = new URL(url);
  path.search = '';
  return path;
}

/** Throws RemoteError for a host that this server does not federate with. */
export async function assertAllowed({ allows }: RemoteAccess, host: string): Promise<void> {
  if (!(await allows(host))) throw new RemoteError('is not among those with whom anything is exchanged');
}
