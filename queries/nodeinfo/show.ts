import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { instanceFacts } from '../instance/index.ts';
import { type NodeInfoVersion, schemaOf } from './versions.ts';

const count = z.int().min(0);
/** https://nodeinfo.diaspora.software/schema.html */
const nodeInfo = z.strictObject({
  version: z.enum(['2.0', '2.1']),
  software: z.strictObject({
    name: z.string().regex(/^[a-z0-9-]+$/),
    version: z.string(),
    /** Since 2.1. */
    repository: z.url().optional(),
  }),
  protocols: z.array(z.string()),
  services: z.strictObject({ inbound: z.array(z.string()), outbound: z.array(z.string()) }),
  openRegistrations: z.boolean(),
  usage: z.strictObject({
    users: z.strictObject({ total: count, activeMonth: count, activeHalfyear: count }),
    localPosts: count,
  }),
  metadata: z.strictObject({
    nodeName: z.string(),
    nodeDescription: z.string(),
    /** The software whose API this is: apps built with megalodon refuse servers with unknown names. */
    upstream: z.strictObject({ name: z.literal('mastodon') }),
  }),
});

async function describe(ctx: RequestContext, version: NodeInfoVersion): Promise<z.infer<typeof nodeInfo>> {
  const { settings, counts } = await instanceFacts(ctx);
  const { domain, software, sourceUrl } = ctx.instance;
  return {
    version,
    software: { ...software, ...(version === '2.0' ? {} : { repository: sourceUrl }) },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: settings.registrations !== 'closed',
    usage: {
      users: { total: counts.users, activeMonth: counts.activeMonth, activeHalfyear: counts.activeHalfYear },
      localPosts: counts.statuses,
    },
    metadata: {
      nodeName: settings.title || domain,
      nodeDescription: settings.short_description,
      upstream: { name: 'mastodon' },
    },
  };
}

const of = <const Path extends string>(version: NodeInfoVersion, path: Path) =>
  endpoint({
    method: 'GET',
    path,
    summary: `View what this server is, by NodeInfo ${version}`,
    auth: 'public',
    openInLimitedMode: true,
    scopes: [],
    reply: nodeInfo,
    handler: async (ctx) => ({
      json: await describe(ctx, version),
      headers: { 'Content-Type': `application/json; profile="${schemaOf(version)}#"` },
    }),
  });

export const nodeInfo20 = of('2.0', '/nodeinfo/2.0');
export const nodeInfo21 = of('2.1', '/nodeinfo/2.1');
