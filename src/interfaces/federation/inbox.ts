import type { Request, RequestHandler } from 'express';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { localActor } from '#queries/federation/index.ts';
import { readBytes } from '../http/bodies.ts';
import { sendReply } from '../http/reply.ts';
import type { FederationDependencies } from './answer.ts';
import { isActivityType } from './negotiation.ts';

const MAX_BYTES = 1_048_576;
/** The maximum milliseconds for a body. */
const BODY_DEADLINE = 15_000;

/**
 * `POST /inbox`, `POST /users/:username/inbox`, `POST /actor/inbox`: deliveries of other servers. All three
 * are equivalent, because an activity names its recipients. The rate limits of clients do not count servers:
 * a large one sends more than any of those. https://www.w3.org/TR/activitypub/#server-to-server-interactions
 */
export function inbox(dependencies: FederationDependencies): RequestHandler {
  const { federation, context, sender } = dependencies;
  return async (req, res) => {
    assertActivity(req);
    const { username } = req.params as Record<string, string>;
    await federation.receive({
      req,
      from: sender(req),
      body: () => bodyOf(req),
      assertRecipient: async () => {
        if (username !== undefined) await assertThere(context(req), username);
      },
    });
    sendReply(req, res, { text: '', status: 202 }, {});
  };
}

/** Throws RookeryError `not_found`, `gone` for an erased account, `forbidden` for a suspended one. */
async function assertThere(ctx: CommandContext, username: string): Promise<void> {
  await localActor(ctx.db, username);
}

/** Throws RookeryError `unsupported_media_type`. */
function assertActivity({ headers }: Request): void {
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (isPlain && isActivityType(headers['content-type'] ?? '')) return;
  throw new RookeryError('unsupported_media_type', 'Send application/activity+json');
}

/** Throws RookeryError `payload_too_large`, or `bad_request` when it is cut off. */
async function bodyOf(req: Request): Promise<Buffer> {
  const slow = setTimeout(() => req.destroy(), BODY_DEADLINE);
  try {
    return await readBytes(req, MAX_BYTES);
  } finally {
    clearTimeout(slow);
  }
}
