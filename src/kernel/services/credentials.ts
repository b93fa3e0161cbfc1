/** Passwords and one-time codes: durable, never in the log. */
export interface Credentials {
  /** Codes that were made before are void, but those that only confirm the address. */
  setPassword(accountId: string, password: string): Promise<void>;
  /** True when this is the account's password; takes the same time for an unknown account. */
  verifyPassword(accountId: string | undefined, password: string): Promise<boolean>;
  /** A one-time code, kept hashed: the account it was made for and a value of the maker's (an e-mail address). */
  createCode(kind: string, accountId: string, value: string): Promise<string>;
  /** Codes of the account and kind that were made before this one are void. */
  voidEarlierCodes(kind: string, code: string): Promise<void>;
  /** Uses up a code; undefined when it is unknown or older than its kind lives. */
  useCode(kind: string, code: string): Promise<{ accountId: string; value: string } | undefined>;
  /** Whether `useCode` would find it. */
  hasCode(kind: string, code: string): Promise<boolean>;
  /** All codes of an account are void. */
  voidCodes(accountId: string): Promise<void>;
}

/** An application as it registers itself. */
export interface ApplicationRegistration {
  id: string;
  name: string;
  website: string | null;
  redirect_uris: string[];
  scopes: string[];
}

/** Issues and revokes access tokens. */
export interface Tokens {
  /** @returns the bearer token in clear text, which is stored nowhere. `created_at` in seconds since 1970. */
  issue(token: {
    applicationId: string;
    accountId?: string;
    scopes: readonly string[];
  }): Promise<{ access_token: string; token_type: 'Bearer'; scope: string; created_at: number }>;
  /** Also ends the account's sign-in sessions and unused authorization codes. */
  revokeAllOf(accountId: string): Promise<void>;
  /** Revokes what one application has of an account: tokens, and authorization codes that it may still trade. */
  revokeApplication(accountId: string, applicationId: string): Promise<void>;
  /** Looks up anew, from the next request on, what an account's tokens may do. */
  forget(accountId: string): void;
  /**
   * Registers an application, which enters the log with its first token.
   * @returns its secret in clear text, of which only the hash is stored
   * @throws RookeryError `conflict` where the id is taken
   */
  registerApplication(application: ApplicationRegistration): Promise<string>;
}
