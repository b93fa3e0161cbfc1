/** The scopes are in the kernel, since commands (registering an app) need them too. */
export * from '../kernel/scopes.ts';
