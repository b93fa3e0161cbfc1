import { z } from 'zod';
import { type AppPlatform, type ClientApp, clientApp } from '#events/client-apps.ts';
import type { InstanceSettings } from '#events/instance.ts';
import type { Instance } from '#kernel/context.ts';
/**
 * Names and websites: github.com/mastodon/joinmastodon, `data/apps.ts` and `pages/apps.tsx`, and each app's own README. Addresses:
 * github.com/cheeaun/phanpy, `src/pages/login.jsx`; github.com/elk-zone/elk, `app/plugins/0.setup-users.ts`.
 */
import defaults from './apps.json' with { type: 'json' };

const DEFAULT_APPS: readonly ClientApp[] = z.array(clientApp).parse(defaults.apps);

/** Returns the apps as staff wrote them, or those that come with this version. */
export const listedApps = ({ apps }: Pick<InstanceSettings, 'apps'>): readonly ClientApp[] =>
  apps ?? DEFAULT_APPS;

/** An app as a page links it. */
export interface OfferedApp {
  name: string;
  platform: AppPlatform;
  description: string;
  /** Opens a web client with this server filled in, where it can do that; the website of any other app. */
  href: string;
}

export interface OfferedApps {
  apps: OfferedApp[];
  /** This server: `https://social.example`. */
  origin: string;
  /** False without https: apps and web clients connect by https only. */
  reachable: boolean;
}

type Site = Pick<Instance, 'domain' | 'origin'>;

/** Returns the apps with the addresses that open them. Without https an address would fail, so it is left out. */
export function appsOf(settings: Pick<InstanceSettings, 'apps'>, site: Site): OfferedApps {
  const reachable = site.origin.startsWith('https:');
  const apps = listedApps(settings).map(({ name, platform, description, website, address }) => ({
    name,
    platform,
    description,
    href: address !== undefined && reachable ? fillAddress(address, site) : website,
  }));
  return { apps, origin: site.origin, reachable };
}

/** Fills in this server: `{host}` serves the API, `{domain}` is in handles, `{origin}` is scheme and host. */
export const fillAddress = (address: string, { domain, origin }: Site): string =>
  address
    .replaceAll('{host}', () => new URL(origin).host)
    .replaceAll('{domain}', () => domain)
    .replaceAll('{origin}', () => origin);
