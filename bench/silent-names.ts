import { Resolver } from 'node:dns';

/**
 * Runs in the server before its own code. Each resolver asks the name server of the bench, whose port the URL of this file has: there
 * is no setting for that, and `/etc/resolv.conf` belongs to the whole machine.
 */
const told = new WeakSet<Resolver>();
const port = new URL(import.meta.url).searchParams.get('port') ?? '';
for (const name of ['resolve4', 'resolve6'] as const) {
  const resolve = Resolver.prototype[name] as (this: Resolver, ...args: unknown[]) => void;
  Object.defineProperty(Resolver.prototype, name, {
    value(this: Resolver, ...args: unknown[]): void {
      // A resolver accepts no other servers while it asks.
      if (!told.has(this)) this.setServers([`127.0.0.1:${port}`]);
      told.add(this);
      resolve.apply(this, args);
    },
  });
}
