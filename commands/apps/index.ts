import { createApp } from './create-app.ts';

export { ensureApplication } from './ensure-application.ts';
export const appCommands = [createApp];
