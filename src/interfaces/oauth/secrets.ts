import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url: 43 characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the stored form of a random secret. One SHA-256 suffices, because 256 random bits cannot be
 * guessed; passwords need more (`src/adapters/passwords.ts`).
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
