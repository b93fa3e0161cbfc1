/**
 * The domain of the handle that clients see for an account whose own handle belongs to another one; its username
 * is its id. The top-level domain is reserved (RFC 6761), so no server has it.
 */
export const INVALID_HANDLE_DOMAIN = 'handle.invalid';

/** Returns the handle that clients see for such an account. */
export const invalidHandle = (id: string): { username: string; domain: string } => ({
  username: id,
  domain: INVALID_HANDLE_DOMAIN,
});
