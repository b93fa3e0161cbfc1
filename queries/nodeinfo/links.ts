import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { NODEINFO_VERSIONS, schemaOf } from './versions.ts';

const link = z.strictObject({ rel: z.string(), href: z.url() });

/** The addresses of NodeInfo: https://nodeinfo.diaspora.software/protocol.html */
export const nodeInfoLinks = endpoint({
  method: 'GET',
  path: '/.well-known/nodeinfo',
  summary: 'Find the NodeInfo of this server',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  reply: z.strictObject({ links: z.array(link) }),
  handler: ({ instance }) =>
    Promise.resolve({
      json: {
        links: NODEINFO_VERSIONS.map((version) => ({
          rel: schemaOf(version),
          href: `${instance.origin}/nodeinfo/${version}`,
        })),
      },
    }),
});
