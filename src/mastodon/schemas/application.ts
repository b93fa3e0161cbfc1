import { z } from 'zod';
import { id, url } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Application/. A redirect URI may be `urn:ietf:wg:oauth:2.0:oob`. */
export const applicationSchema = z
  .strictObject({
    id,
    name: z.string(),
    website: url.nullable(),
    scopes: z.array(z.string()),
    redirect_uris: z.array(z.string()),
    /** All redirect URIs, one per line. */
    redirect_uri: z.string(),
    vapid_key: z.string(),
  })
  .meta({ id: 'Application' });
export type Application = z.infer<typeof applicationSchema>;

/** The reply to registering an app, the only one with the secret. An expiry of 0 means never. */
export const credentialApplicationSchema = applicationSchema
  .extend({ client_id: z.string(), client_secret: z.string(), client_secret_expires_at: z.int().min(0) })
  .meta({ id: 'CredentialApplication' });
export type CredentialApplication = z.infer<typeof credentialApplicationSchema>;

/** https://docs.joinmastodon.org/entities/Token/. `created_at` is in seconds since 1970. */
export const tokenSchema = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    scope: z.string(),
    created_at: z.int(),
  })
  .meta({ id: 'Token' });
export type Token = z.infer<typeof tokenSchema>;
