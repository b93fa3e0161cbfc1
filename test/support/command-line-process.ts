import { run } from '#cli/program.ts';

/** Runs the commands that its parent sends, one after another. A NUL ends the output of each. */
process.on('message', ({ args, env }: { args: string[]; env: NodeJS.ProcessEnv }) => {
  process.env = env;
  process.exitCode = 0;
  void run(args).then(() => {
    process.stdout.write('\0');
    process.stderr.write('\0');
    process.send?.(process.exitCode);
  });
});
