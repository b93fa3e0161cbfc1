import { createApp } from './create-app.ts';

export const appCommands = [createApp];
