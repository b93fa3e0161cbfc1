import { hash } from 'node:crypto';

/**
 * Returns the key under which a form acts once: that of its page together with its texts. A form that is sent
 * twice acts once. A form that was changed in the history of the browser and sent again acts anew.
 */
export const formKey = (key: string | undefined, texts: object): { key?: string } =>
  key === undefined || key === '' ? {} : { key: hash('sha256', JSON.stringify([key, texts]), 'hex') };
