import type { Command } from 'commander';
import { z } from 'zod';
import { parseOrNothing } from '#kernel/parse-json.ts';
import type { HttpClient } from '#kernel/services/http-client.ts';
import { remoteDomains } from '#queries/federation/index.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printTable } from './output.ts';
import { countProgress } from './progress.ts';

/** Servers that are asked at the same time. */
const AT_ONCE = 20;
const DEADLINE = 10_000;
const MAX_BYTES = 65_536;

const links = z.object({ links: z.array(z.object({ rel: z.string(), href: z.url() })).max(20) });
const nodeInfo = z.object({
  software: z.object({ name: z.string().max(100), version: z.string().max(200) }),
  usage: z
    .object({
      users: z.object({ total: z.number().optional(), activeMonth: z.number().optional() }).optional(),
      localPosts: z.number().optional(),
    })
    .optional(),
});

/** Adds `rookery domains crawl`, modelled on `tootctl domains crawl`. */
export function addCrawl(domains: Command): void {
  domains
    .command('crawl')
    .description('Ask all known servers what they run and how many users they have (NodeInfo)')
    .option('--summary', 'only the number of servers for each software')
    .action((options: { summary?: true }) => asOperator((operator) => crawl(operator, options)));
}

interface Described {
  domain: string;
  accounts: number;
  info: z.infer<typeof nodeInfo> | undefined;
}

async function crawl({ app, catchUp }: Operator, { summary }: { summary?: true }): Promise<void> {
  await catchUp();
  const domains = await remoteDomains(app.db);
  const progress = countProgress('Asked', 'servers');
  const found: Described[] = [];
  const { http } = app.contextDependencies.services;
  // A server without TLS only knows others like it.
  const scheme = app.config.site.https ? 'https' : 'http';
  for (let from = 0; from < domains.length; from += AT_ONCE) {
    const asked = domains
      .slice(from, from + AT_ONCE)
      .map(async ({ domain, accounts }) => ({
        domain,
        accounts,
        info: await describe(http, `${scheme}://${domain}`).catch(() => undefined),
      }));
    found.push(...(await Promise.all(asked)));
    progress.update(found.length);
  }
  progress.stop();
  if (summary) printSummary(found);
  else printServers(found);
  const silent = found.filter(({ info }) => !info).length;
  confirm(`${found.length} servers, ${silent} of them did not answer`, { servers: found.length, silent });
}

function printServers(found: readonly Described[]): void {
  printTable(
    ['DOMAIN', 'KNOWN ACCOUNTS', 'SOFTWARE', 'VERSION', 'USERS', 'ACTIVE', 'POSTS'],
    found.map(({ domain, accounts, info }) => [
      domain,
      accounts,
      info?.software.name ?? null,
      info?.software.version ?? null,
      info?.usage?.users?.total ?? null,
      info?.usage?.users?.activeMonth ?? null,
      info?.usage?.localPosts ?? null,
    ]),
    { headless: true },
  );
}

function printSummary(found: readonly Described[]): void {
  const counts = new Map<string, number>();
  for (const { info } of found) {
    const name = info?.software.name ?? 'no answer';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  printTable(
    ['SOFTWARE', 'SERVERS'],
    [...counts].toSorted((a, b) => b[1] - a[1]),
    { headless: true },
  );
}

/** Returns the NodeInfo of a server (https://nodeinfo.diaspora.software/protocol). @throws Error without one */
async function describe(http: Pick<HttpClient, 'fetch'>, origin: string): Promise<z.infer<typeof nodeInfo>> {
  const get = async (url: string): Promise<unknown> => {
    const { body } = await http.fetch(url, { deadline: DEADLINE, maxBytes: MAX_BYTES });
    return parseOrNothing(body.toString('utf8'));
  };
  const known = links.parse(await get(`${origin}/.well-known/nodeinfo`)).links;
  const link = known.toSorted((a, b) => (a.rel < b.rel ? 1 : -1)).find(({ rel }) => rel.includes('nodeinfo'));
  if (!link) throw new Error(`${origin} names no NodeInfo`);
  return nodeInfo.parse(await get(link.href));
}
