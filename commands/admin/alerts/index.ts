import { acknowledgeAlert } from './acknowledge.ts';

export const adminAlertCommands = [acknowledgeAlert];
