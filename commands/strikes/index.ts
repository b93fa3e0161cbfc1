import { fileAppeal } from './file-appeal.ts';
import { withdrawOwnAppeal } from './withdraw-appeal.ts';

export { MAX_APPEAL } from '#events/appeals.ts';
export { appealStrike, withdrawAppeal } from './appeal.ts';
export { judgeAppeal, type Judge, type Judgement } from './judge.ts';
export { refuseAnswered, resolveOnce, takeActionOnce } from './decide-once.ts';
export { strikes } from './strikes.ts';
export { mailJudgement } from './mail-judgement.ts';

export const strikeCommands = [fileAppeal, withdrawOwnAppeal];
