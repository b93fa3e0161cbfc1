import { Router } from 'express';
import { consoleScript, consoleStyle } from '../browser/console/assets.ts';
import { script } from '../browser/script.ts';
import { accentStyle } from '../design/accent.ts';
import { sendLastingFile, stylesheet } from '../design/stylesheet.ts';

/** Serves the style and the script of the pages, and the colours that servers may choose. */
export function createAssetsRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const file of [stylesheet, script, consoleStyle, consoleScript])
    router.get(file.path, sendLastingFile(file));
  router.get('/assets/accent-:color.css', (req, res, next) => {
    const { color } = req.params;
    if (!/^[0-9a-f]{6}$/.test(color)) return next();
    const text = accentStyle(`#${color}`);
    return sendLastingFile({ text, path: req.path })(req, res, next);
  });
  return router;
}
