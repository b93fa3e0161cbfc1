import { translateStatus } from './translate.ts';

export const translationCommands = [translateStatus];
