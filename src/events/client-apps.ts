import { z } from 'zod';

/** The most apps that the list of a server can have. */
export const MAX_APPS = 50;

/** The most UTF-16 units of the texts of an app. */
export const APP_LIMITS = { name: 60, description: 200, address: 500 } as const;

export const appPlatforms = z.enum(['web', 'ios', 'android', 'desktop', 'terminal']);
export type AppPlatform = z.infer<typeof appPlatforms>;

/** An app that this server recommends to its users. */
export const clientApp = z.object({
  name: z.string().max(APP_LIMITS.name),
  platform: appPlatforms,
  /** One line of plain text. */
  description: z.string().max(APP_LIMITS.description),
  website: z.string().max(APP_LIMITS.address),
  /** Opens a web client with this server filled in: `{host}`, `{domain}` and `{origin}` stand for it. */
  address: z.string().max(APP_LIMITS.address).optional(),
});
export type ClientApp = z.infer<typeof clientApp>;
