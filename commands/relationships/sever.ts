import { useCase } from '../use-case.ts';
import { pairStream } from './change.ts';
import { decideSever } from './follow.ts';
import { relationship } from './relationship.ts';

/** Ends all follows between two accounts, including requests. May run again. */
export const sever = useCase({ stream: pairStream, decider: relationship, decide: decideSever });
