export const NODEINFO_VERSIONS = ['2.0', '2.1'] as const;
export type NodeInfoVersion = (typeof NODEINFO_VERSIONS)[number];

/** Names the schema; it is no address to be fetched. */
export const schemaOf = (version: NodeInfoVersion): string =>
  `http://nodeinfo.diaspora.software/ns/schema/${version}`;
