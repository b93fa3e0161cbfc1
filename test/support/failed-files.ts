import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

/**
 * Prints what the reporter `spec` prints, and writes the files with failed tests, one a line, to the path in
 * the option `failedFiles`. `.ci/run` runs these files a second time.
 */
export default class FailedFiles extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: { reporterOptions?: { failedFiles?: string } } = {}) {
    super(runner, options);
    const path = options.reporterOptions?.failedFiles;
    if (path === undefined) return;
    const files = new Set<string>();
    runner.on('fail', (test: { file?: string }) => {
      files.add(test.file === undefined ? 'unknown' : relative(process.cwd(), test.file));
    });
    runner.on('end', () => writeFileSync(path, [...files].map((file) => `${file}\n`).join('')));
  }
}
