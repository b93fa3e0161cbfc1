import { createCanonicalEmailBlock } from './create.ts';
import { deleteCanonicalEmailBlock } from './delete.ts';
import { testCanonicalEmail } from './test.ts';

export const adminCanonicalEmailBlockCommands = [
  testCanonicalEmail,
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
];
