import { createApp } from './create-app.ts';

export const appsEndpoints = [createApp];
