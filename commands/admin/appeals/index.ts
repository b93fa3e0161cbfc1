import { approveAppeal, rejectAppeal } from './judge.ts';

export const adminAppealCommands = [approveAppeal, rejectAppeal];
