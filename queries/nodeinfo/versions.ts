export const NODEINFO_VERSIONS = ['2.0', '2.1'] as const;
export type NodeInfoVersion = (typeof NODEINFO_VERSIONS)[number];

/** Returns the name of the schema, which is no address to fetch. */
export const schemaOf = (version: NodeInfoVersion): string =>
  `http://nodeinfo.diaspora.software/ns/schema/${version}`;
