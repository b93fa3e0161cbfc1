import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { inTemporaryFolder, renderStream } from '#adapters/media/streams.ts';
import { isRookeryError } from '#kernel/errors.ts';
import * as videos from '../support/videos.ts';

describe('Rendering a video', function () {
  this.timeout(60_000);
  before(function () {
    if (!videos.HAS_FFMPEG) this.skip();
  });

  it('fails for good when it takes too long, so that no job retries', async () => {
    const outcome = await inTemporaryFolder(async (folder) => {
      const path = join(folder, 'upload');
      await writeFile(path, await videos.webVideo());
      const endless = join(folder, 'endless');
      await writeFile(endless, '#!/bin/sh\nexec sleep 600\n');
      await chmod(endless, 0o700);
      const programs = { ffmpeg: endless, ffprobe: 'ffprobe' };
      return renderStream(programs, path, folder, { seconds: 1 }).catch((error: unknown) => error);
    });
    expect(isRookeryError(outcome) && outcome.code).to.equal('invalid');
  });
});
