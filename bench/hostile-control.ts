import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Attack } from './attack.ts';

/** Computes at a low priority until the signal, one process for each core, and sends nothing. */
function busyCores(niceness: number): Attack {
  return {
    name: `control: all cores compute at nice ${niceness}`,
    run: async (_, signal) => {
      const args = ['-n', String(niceness), 'sh', '-c', 'while :; do :; done'];
      const children = Array.from({ length: availableParallelism() }, () => spawn('nice', args));
      await once(signal, 'abort');
      for (const child of children) child.kill();
    },
  };
}

/** No attack: the price that users pay on this machine for any work beside them, however low its priority. */
export const CONTROLS: readonly Attack[] = [busyCores(19)];
