import { appealActPage } from './act.ts';
import { appealPage } from './appeal.ts';
import { appealsPage } from './list.ts';

export const appealPages = [appealsPage, appealPage, appealActPage];
