import { getDomain } from 'tldts';

/**
 * Returns the part of a host name that an owner registers, by the Public Suffix List: `example.co.uk` for
 * `a.example.co.uk`. A name without one, such as an IP address, is returned unchanged. `ofUsers`
 * distinguishes the domains that a company gives to its users, such as `*.github.io`.
 */
export const registrableDomain = (host: string, { ofUsers = false } = {}): string =>
  getDomain(host, { allowPrivateDomains: ofUsers }) ?? host;

/** Returns the domain by which all hosts of one owner are counted together. An IP address keeps its port. */
export const siteOf = (host: string): string => getDomain(host.replace(/:\d+$/, '')) ?? host;
