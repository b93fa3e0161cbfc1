import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url: 43 characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * What is stored of a random secret. One SHA-256 suffices, since 256 random bits cannot be guessed from it; passwords are
 * another matter (`src/adapters/passwords.ts`).
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
