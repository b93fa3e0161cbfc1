/** Returns the id of the RSA key of an actor, which signs its requests. */
export const mainKeyUri = (uri: string): string => `${uri}#main-key`;

/** Returns the id of the Ed25519 key of an actor, which proves its activities. */
export const assertionKeyUri = (uri: string): string => `${uri}#ed25519-key`;
