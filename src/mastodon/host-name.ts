/*
 * SQL for domains that may have a port or a trailing dot, as those of accounts may. Blocks name hosts, and
 * apply to all of their ports.
 */

/** Returns the name of a host without its port and trailing dot; `host` is an expression. */
export const hostName = (host: string): string => `rtrim(split_part(${host}, ':', 1), '.')`;

/** Returns the key that finds accounts by their host and its parent domains: the reversed name. */
export const reversedHost = (domain: string): string => `reverse(${hostName(domain)}) collate "C"`;

/**
 * Tells whether a domain equals the host `name` (an expression without a port) or is a subdomain: one range
 * of the index on `reversedHost`.
 */
export const isAtOrBelow = (domain: string, name: string): string => {
  const reversed = reversedHost(domain);
  return `(${reversed} = reverse(${name})
      or (${reversed} > reverse(${name}) || '.' and ${reversed} < reverse(${name}) || '/'))`;
};
