import { run } from '#app/run.ts';

await run();
