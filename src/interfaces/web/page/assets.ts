import { Router } from 'express';
import { script } from '../browser/script.ts';
import { sendLastingFile, stylesheet } from '../design/stylesheet.ts';

/** Serves the style and the script of the pages. */
export function createAssetsRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const file of [stylesheet, script]) router.get(file.path, sendLastingFile(file));
  return router;
}
