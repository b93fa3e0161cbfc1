import manifest from '../package.json' with { type: 'json' };

/** The version of Rookery, as package.json has it. */
export const VERSION: string = manifest.version;
