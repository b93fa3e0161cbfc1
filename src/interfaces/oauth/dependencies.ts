import type { Request } from 'express';
import type { CommandContext, Instance, Viewer } from '#kernel/context.ts';
import type { Db } from '#kernel/read.ts';
import type { Credentials } from '#kernel/services/credentials.ts';
import type { Caller } from './authenticate.ts';
import type { Sessions } from './sessions.ts';
import type { TokenDigests } from './token-digest.ts';
import type { TokenStore } from './tokens.ts';
import type { Users } from './users.ts';

/** The dependencies of the OAuth routes, from the composition root. */
export interface OAuthDependencies {
  db: Db;
  instance: Instance;
  users: Users;
  credentials: Credentials;
  tokens: TokenStore;
  tokenDigests: TokenDigests;
  authenticate: (bearer: string) => Promise<Caller | undefined>;
  /** Shared with the settings pages: users who sign in there are signed in here. */
  sessions: Sessions;
  passwordGrant: boolean;
  /** For commands in the name of a user who is signing in. */
  context: (ip: string, user: Viewer) => CommandContext;
  /**
   * Counts an attempt; `attempts.ts` has the keys. @throws RookeryError `too_many_requests`
   */
  limit: (
    kind: 'sign_in' | 'sign_in_account' | 'sign_in_known' | 'own_password' | 'second_step',
    key: string,
  ) => Promise<void>;
  /** Counts a request by its address. @throws RookeryError `too_many_requests` */
  limitRequest: (req: Request) => Promise<unknown>;
  clientAddress: (req: Request) => string;
  /** Records the address of a user who signed in. */
  signedIn: (accountId: string, ip: string) => void;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}
