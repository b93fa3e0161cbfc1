/*
 * SQL for domains that may have a port or a dot at the end, as those of accounts may: blocks name hosts, and hold for all of their ports.
 */

/** The name of a host without its port and a dot at the end; `host` is an expression. */
export const hostName = (host: string): string => `rtrim(split_part(${host}, ':', 1), '.')`;

/** The key by which accounts are found by their host, and by the domains above it: the name, read from its end. */
export const reversedHost = (domain: string): string => `reverse(${hostName(domain)}) collate "C"`;

/** Whether a domain is at the host `name` (an expression without a port), or below it: one range of the index on `reversedHost`. */
export const isAtOrBelow = (domain: string, name: string): string => {
  const reversed = reversedHost(domain);
  return `(${reversed} = reverse(${name})
      or (${reversed} > reverse(${name}) || '.' and ${reversed} < reverse(${name}) || '/'))`;
};
