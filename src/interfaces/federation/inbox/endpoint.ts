import type { IncomingMessage } from 'node:http';
import { decodeUtf8 } from '#interfaces/http/bodies.ts';
import type { Instance } from '#kernel/context.ts';
import { isRookeryError, RookeryError, unauthorized } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type { KnownActor } from '#queries/federation/index.ts';
import { federationAllowed, knownActor, relayOfActor } from '#queries/federation/index.ts';
import type { RemoteDocument } from '../remote/documents.ts';
import { idOf, isObject } from '../remote/json.ts';
import { isRemoteError, RemoteError } from '../remote/remote-error.ts';
import { digestMatches } from '../signatures/digest.ts';
import { proofClaim } from '../signatures/integrity-proof.ts';
import type { SignatureClaim } from '../signatures/signed-request.ts';
import type { SignatureVerifier, VerifiedSigner } from '../signatures/verifier.ts';
import { type Activity, activityOf, isTaken } from './activity.ts';
import { Admission, type InboxRequest, type SenderAddress } from './admission.ts';
import { busy } from './busy.ts';
import { embeddedSignature, isRecentProof, markOf, PROVABLE } from './embedded-proofs.ts';
import type { FollowersComparison } from './followers-synchronization.ts';
import { isIgnored } from './ignored.ts';
import type { InboxJob } from './inbox-job.ts';

export interface InboxEndpointOptions {
  db: Db;
  instance: Instance;
  verifier: SignatureVerifier;
  /** Queues a job. Returns false if too many wait. */
  keep: (job: InboxJob) => Promise<boolean>;
  /** Compares the follower digest of a sender with the local one. */
  compare: FollowersComparison['compare'];
  /** Returns an id that is equal for equal texts. */
  commandId: (text: string) => string;
  /** Receives the reasons of rejected requests. */
  onRefusal: (error: unknown) => void;
}

/** An incoming delivery. */
export interface Arrival {
  req: IncomingMessage;
  from: SenderAddress;
  /** Reads the body. @throws RookeryError `payload_too_large`, `bad_request` */
  body: () => Promise<Buffer>;
  /** Throws RookeryError `not_found` or `gone` if the inbox does not exist. */
  assertRecipient: () => Promise<void>;
}

/**
 * Bodies up to this many bytes are parsed before the signature is verified: that costs less than a needless
 * request for a key.
 */
const SMALL = 8_192;

/**
 * Accepts activities: verifies the signature and queues them, so that no connection waits for other servers
 * and a crash loses nothing. Cheap checks come first: headers, digest, signature. A large body is read only
 * after its key is available, and parsed only after its signature is verified.
 */
export class InboxEndpoint {
  readonly #options: InboxEndpointOptions;
  readonly #admission = new Admission();

  constructor(options: InboxEndpointOptions) {
    this.#options = options;
  }

  /**
   * Returns once the activity is queued or ignored. Ignored are suspended actors and servers, and unsupported
   * types.
   * @throws RookeryError `bad_request` if the body is no activity, `unauthorized` if the signature is not
   * valid for its actor, `too_many_requests` if too many wait or were rejected
   */
  async receive(arrival: Arrival): Promise<void> {
    const claim = this.#options.verifier.claimOf(arrival.req);
    const visit = this.#admission.visit(arrival.from, claim ? hostOf(claim.keyId) : '');
    try {
      if (!claim) throw this.#unsigned('is signed in a way that cannot hold');
      await this.#take(arrival, claim, visit);
    } catch (error) {
      if (isRookeryError(error) && REFUSALS.includes(error.code)) visit.refused();
      throw error;
    } finally {
      visit.leave();
    }
  }

  async #take(arrival: Arrival, claim: SignatureClaim, visit: InboxRequest): Promise<void> {
    const { req } = arrival;
    const { verifier } = this.#options;
    if (!(await this.#isAllowed(hostOf(claim.keyId)))) return;
    await arrival.assertRecipient();
    const isSmall = Number(req.headers['content-length'] ?? Infinity) <= SMALL;
    if (!isSmall && !(await this.#isKeyThere(claim, visit))) throw this.#unsigned('has no key');
    visit.enter();
    const body = await arrival.body();
    if (!isSmall) visit.holdsLargeBody();
    if (!digestMatches(req.headers, body)) throw this.#unsigned('is not the body that was signed');
    let opened = isSmall ? await this.#open(body, claim) : undefined;
    if (isSmall && !opened) return;
    const signer = await verifier.signerOf(req, body, (ask) => visit.whileAsking(ask));
    if (signer) visit.proven();
    else if (!opened || !isOwnEnd(opened.activity, claim))
      throw this.#unsigned('has a signature that does not hold');
    opened ??= await this.#open(body, claim);
    if (!opened) return;
    await this.#sort(opened, { claim, visit }, signer);
    await this.#compare(req, opened, claim, signer);
  }

  async #isKeyThere(claim: SignatureClaim, visit: InboxRequest): Promise<boolean> {
    const { verifier } = this.#options;
    const prepare = (): Promise<boolean> => verifier.prepare(claim);
    return verifier.hasKey(claim) ? prepare() : visit.whileAsking(prepare);
  }

  /**
   * Parses a body and finds its actor. Returns undefined for an activity that is ignored whatever its
   * signature: one of a suspended server, or the deletion of an unknown actor, which is sent to every server.
   * @throws RookeryError `bad_request`, `unauthorized`
   */
  async #open(body: Buffer, { keyId }: SignatureClaim): Promise<ParsedActivity | undefined> {
    const text = decodeUtf8(body);
    const activity = this.#read(text, body, keyId.replace(/#.*$/, ''));
    if (!(await this.#isAllowed(hostOf(activity.actor)))) return undefined;
    const known = await knownActor(this.#options.db, activity.actor);
    return known || !endsItself(activity) ? { activity, text, known } : undefined;
  }

  /** Finds out what an activity counts as. `sender` is undefined for a deleted actor whose key is no longer available. */
  async #sort(
    { activity, text, known }: ParsedActivity,
    { claim, visit }: { claim: SignatureClaim; visit: InboxRequest },
    sender?: VerifiedSigner,
  ): Promise<void> {
    const isOthers = sender !== undefined && sender.uri !== activity.actor && !isIgnored(known, activity);
    const prover = isOthers ? await this.#proverOf(activity, visit) : undefined;
    const kind = sender ? await this.#kindOf(activity, sender, prover !== undefined) : 'unproven';
    if (isIgnored(known, activity) || kind === undefined || !isTaken(activity.type)) return;
    if (kind === 'signed' && activity.type === 'Update' && idOf(activity.object) === activity.actor)
      this.#options.verifier.announced(ownDescription(activity));
    await this.#keep({ activity, text, known, kind, claim, sender }, prover ?? sender);
  }

  /** Queues an activity. `signer` made the signature or the proof that it counts by. @throws RookeryError */
  async #keep(
    { activity, text, known, kind, claim, sender }: Sorted,
    signer: VerifiedSigner | undefined,
  ): Promise<void> {
    const { followers, featured } = kind === 'relayed' || !signer ? NOBODYS : signer;
    const command = this.#options.commandId(markOf(kind, activity, claim));
    const { actor } = activity;
    const isForwarded = kind === 'relayed' || signer !== sender;
    const via = sender && isForwarded ? { via: sender.host } : {};
    const username = kind === 'signed' && !known && signer ? signer.username : null;
    if (!(await this.#options.keep({ kind, text, actor, ...via, command, followers, featured, username })))
      throw busy();
  }

  /** Returns the actor of an activity that another one sent, if it has proven the activity. */
  async #proverOf(activity: Activity, visit: InboxRequest): Promise<VerifiedSigner | undefined> {
    const claim = PROVABLE.includes(activity.type) ? proofClaim(activity.document) : undefined;
    if (!claim || !isRecentProof(claim)) return undefined;
    return this.#options.verifier.proverOf(activity.actor, claim, (ask) => visit.whileAsking(ask));
  }

  /** Compares followers with a known sender. */
  async #compare(
    req: IncomingMessage,
    { known, activity }: ParsedActivity,
    claim: SignatureClaim,
    signer?: VerifiedSigner,
  ): Promise<void> {
    if (!known || known.suspended || signer?.uri !== activity.actor) return;
    await this.#options.compare(req, { known, signer, claim });
  }

  #read(text: string, bytes: Buffer, signer: string): Activity {
    try {
      return activityOf(text, { bytes, signer });
    } catch (error) {
      if (!isRemoteError(error)) throw error;
      throw new RookeryError('bad_request', 'The body is not an activity', { cause: error });
    }
  }

  /**
   * Returns false for a suspended server. @throws RookeryError `unauthorized` for a server that limited
   * federation mode does not allow
   */
  async #isAllowed(host: string): Promise<boolean> {
    const { instance } = this.#options;
    if (await federationAllowed(this.#options, host)) return true;
    if (instance.limitedFederation) throw unauthorized('This server federates with few others only');
    return false;
  }

  /**
   * Returns undefined for an activity that another actor forwarded and no local account needs. A Linked Data
   * signature in the document is not trusted (CVE-2026-46349), but a post can be fetched from its server; an
   * integrity proof is.
   * @throws RookeryError `unauthorized`
   */
  async #kindOf(
    activity: Activity,
    signer: VerifiedSigner,
    isProven: boolean,
  ): Promise<InboxJob['kind'] | undefined> {
    if (signer.uri === activity.actor) return 'signed';
    const { db, instance } = this.#options;
    if (await relayOfActor(db, signer.uri)) {
      // A relay returns activities that it got from this server.
      const isOurs = URL.parse(activity.actor)?.origin === instance.origin;
      if (isOurs || !RELAYED.includes(activity.type)) return undefined;
      return isProven ? 'proven' : 'relayed';
    }
    if (isProven) return 'signed';
    const embedded = embeddedSignature(activity.document);
    if (embedded === 'none') throw this.#unsigned('is signed by somebody else');
    if (embedded === 'over') return undefined;
    const isOfPost = activity.type === 'Create' || activity.type === 'Update';
    return isOfPost && (await this.#isAllowed(signer.host)) ? 'forwarded' : undefined;
  }

  #unsigned(why: string): RookeryError {
    this.#options.onRefusal(new RemoteError(`sent an activity that ${why}`));
    return unauthorized('Activities must be signed by their actor');
  }
}

interface Sorted extends ParsedActivity {
  kind: InboxJob['kind'];
  claim: SignatureClaim;
  /** The signer of the request. */
  sender: VerifiedSigner | undefined;
}

interface ParsedActivity {
  activity: Activity;
  text: string;
  /** The account of the actor, if it is known. */
  known: KnownActor | undefined;
}

/** The activities that a relay may pass on. */
const RELAYED = ['Announce', 'Create', 'Delete', 'Update'];
/** A relay that forwards an activity does not know the collections of its actor. */
const NOBODYS = { followers: null, featured: null };

/**
 * Rejections that count against a sender. A deleted account and an overloaded inbox are not the sender's
 * fault.
 */
const REFUSALS = ['bad_request', 'unauthorized', 'not_found', 'payload_too_large'];

const hostOf = (uri: string): string => URL.parse(uri)?.host ?? '';

const endsItself = ({ type, object, actor }: Activity): boolean =>
  type === 'Delete' && idOf(object) === actor;

/**
 * Returns true if an actor of the key's server deletes itself: it may be gone already, and the key with it.
 */
const isOwnEnd = (activity: Activity, { keyId }: SignatureClaim): boolean =>
  endsItself(activity) && URL.parse(keyId)?.origin === new URL(activity.actor).origin;

/** Returns the document of an actor in its update; an empty one where the update only names it. */
const ownDescription = ({ actor, object }: Activity): RemoteDocument => ({
  id: actor,
  document: isObject(object) ? object : {},
});
