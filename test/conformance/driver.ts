import { patience } from '../support/deadlines.ts';
import { picture } from '../support/uploads.ts';
import { Normaliser } from './normalise.ts';
import type { Person, Step } from './step.ts';

/** The normalized reply to a step. */
export interface Recorded {
  step: string;
  operation: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Target {
  /** `https://social.example`, without a trailing slash. */
  base: string;
  /** The host in the addresses that the server gives, if different. */
  domain?: string;
  tokens: Partial<Record<Person, string>>;
  /** Waits until the effects of a request are visible. */
  waitUntilIdle?: () => Promise<void>;
}

/** Headers that clients read. */
const HEADERS = ['content-type', 'link', 'deprecation', 'www-authenticate', 'location', 'retry-after'];
/** Milliseconds to wait for a reply. */
const PATIENCE = patience(30_000);
const BROKEN = 'not-a-token';

/** Sends the requests of a scenario one after another to any server. Returns the normalized replies. */
export async function runScenario(steps: readonly Step[], target: Target): Promise<Recorded[]> {
  const saved = new Map<string, string>();
  const normaliser = new Normaliser(target, saved);
  const file = new Blob([new Uint8Array(await picture(64, 48, 'png'))], { type: 'image/png' });
  const recorded: Recorded[] = [];
  for (const step of steps) {
    const { status, headers, body } = await send(step, target, { saved, file });
    for (const [name, place] of Object.entries(step.save ?? {})) {
      const value = valueAt(body, place);
      if (value !== undefined) saved.set(name, value);
    }
    if (step.method !== 'GET') await target.waitUntilIdle?.();
    recorded.push({
      step: step.name,
      operation: step.operation,
      status,
      headers: normaliser.headers(headers),
      body: normaliser.body(body),
    });
  }
  return recorded;
}

interface Sources {
  saved: ReadonlyMap<string, string>;
  file: Blob;
}

async function send(
  step: Step,
  { base, tokens }: Target,
  { saved, file }: Sources,
): Promise<{ status: number; headers: Record<string, string>; body: unknown }> {
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (all, name: string) => saved.get(name) ?? all);
  const token = step.as === 'broken' ? BROKEN : step.as && tokens[step.as];
  const json = step.body === undefined ? undefined : fill(JSON.stringify(step.body));
  const form = step.pictures && new FormData();
  for (const name of step.pictures ?? []) form?.set(name, file, 'picture.png');
  const body = form ?? json;
  const response = await fetch(`${base}${fill(step.path)}`, {
    method: step.method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const headers = Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: response.status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function valueAt(body: unknown, place: string): string | undefined {
  let value: unknown = body;
  for (const key of place.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
