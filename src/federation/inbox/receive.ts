import type { IncomingMessage } from 'node:http';
import { federationAllowed, knownActor } from '../../../queries/federation/index.ts';
import type { Instance } from '../../kernel/context.ts';
import { RookeryError, unauthorized } from '../../kernel/errors.ts';
import type { Db } from '../../kernel/read.ts';
import type { Jobs } from '../../kernel/services/jobs.ts';
import { idOf, isObject } from '../remote/json.ts';
import { isTheirs, Refusal } from '../remote/refusal.ts';
import { digestMatches } from '../signatures/digest.ts';
import type { SignatureVerifier, VerifiedSigner } from '../signatures/verifier.ts';
import { activityOf, isTaken, type Activity } from './activity.ts';
import { isIgnored } from './ignored.ts';
import { busy } from './busy.ts';
import { INBOX_JOB, letterData, type Letter } from './letter.ts';

export interface ReceiverOptions {
  db: Db;
  instance: Instance;
  verifier: Pick<SignatureVerifier, 'signerOf'>;
  jobs: () => Jobs;
  /** An id that is the same for the same text. */
  commandId: (text: string) => string;
  /** Told what was not believed. */
  onRefusal: (error: unknown) => void;
}

/** So many activities may wait; beyond, senders are to come again. */
const MAX_WAITING = 20_000;
/** Milliseconds after which they are counted anew. */
const COUNTED_FOR = 5_000;

/**
 * Takes activities in: those whose actor signed them are kept in the queue of jobs, and carried out from there, so that nobody's
 * connection waits for other servers, and nothing is lost by a crash.
 */
export class Receiver {
  readonly #options: ReceiverOptions;
  #waiting = { at: -Infinity, jobs: 0 };

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * Returns when the activity is kept, or is one that changes nothing: those of suspended actors and servers, and types that mean
   * nothing here.
   * @throws RookeryError `bad_request` for what is no activity, `unauthorized` for what its actor did not sign,
   * `too_many_requests` when too many wait
   */
  async receive(req: IncomingMessage, body: Buffer, text: string): Promise<void> {
    if (req.headers.signature === undefined) throw this.#unsigned('is not signed');
    if (!digestMatches(req.headers, body)) throw this.#unsigned('is not the body that was signed');
    const activity = this.#read(text);
    if (!(await this.#isAllowed(new URL(activity.actor).host))) return;
    const known = await knownActor(this.#options.db, activity.actor);
    const endsItself = activity.type === 'Delete' && idOf(activity.object) === activity.actor;
    // Whoever is deleted anywhere is told of everywhere: it must cost nothing.
    if (endsItself && !known) return;
    const signer = await this.#options.verifier.signerOf(req, body);
    if (!signer && !endsItself) throw this.#unsigned('is signed in a way that does not hold');
    const kind = signer ? await this.#kindOf(activity, signer) : 'unproven';
    if (isIgnored(known, activity) || kind === undefined || !isTaken(activity.type)) return;
    const { followers, featured } = signer ?? { followers: null, featured: null };
    // What is sent again is signed again; the same signature is the same request.
    const command = this.#options.commandId(`inbox/${kind} ${String(req.headers.signature)}`);
    await this.#keep({ kind, text, actor: activity.actor, command, followers, featured, deferred: 0 });
  }

  #read(text: string): Activity {
    try {
      return activityOf(text);
    } catch (error) {
      if (!isTheirs(error)) throw error;
      throw new RookeryError('bad_request', 'The body is not an activity', { cause: error });
    }
  }

  /** False for a server that is suspended. @throws RookeryError `unauthorized` in limited federation, for one that is not allowed */
  async #isAllowed(host: string): Promise<boolean> {
    const { instance } = this.#options;
    if (await federationAllowed(this.#options, host)) return true;
    if (instance.limitedFederation) throw unauthorized('This server federates with few others only');
    return false;
  }

  /**
   * Undefined for what somebody else passed on and nobody here has to look at: what is signed inside of the document is not believed
   * (CVE-2026-46349), but a post can be asked for where it is. @throws RookeryError `unauthorized`
   */
  async #kindOf(activity: Activity, signer: VerifiedSigner): Promise<Letter['kind'] | undefined> {
    if (signer.uri === activity.actor) return 'signed';
    if (!isObject(activity.document['signature'])) throw this.#unsigned('is signed by somebody else');
    const isOfPost = activity.type === 'Create' || activity.type === 'Update';
    return isOfPost && (await this.#isAllowed(signer.host)) ? 'forwarded' : undefined;
  }

  /** Of what cannot be proven, one waits per actor: anybody may send it. */
  async #keep(letter: Letter): Promise<void> {
    const jobs = this.#options.jobs();
    if (performance.now() - this.#waiting.at > COUNTED_FOR) {
      this.#waiting = { at: performance.now(), jobs: await jobs.waiting(INBOX_JOB) };
    }
    if (this.#waiting.jobs >= MAX_WAITING) throw busy();
    const singletonKey = letter.kind === 'unproven' ? letter.actor : letter.command;
    await jobs.enqueue(INBOX_JOB, letterData(letter), { singletonKey });
  }

  #unsigned(why: string): RookeryError {
    this.#options.onRefusal(new Refusal(`sent an activity that ${why}`));
    return unauthorized('Activities must be signed by their actor');
  }
}
