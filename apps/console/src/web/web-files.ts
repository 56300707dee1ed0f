import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import express, { Router } from 'express';
import type { Response } from 'express';
import type { ExchangeResponse } from '@engawa/http';

/** A year, in seconds: the name of an asset changes with its content. */
const assetMaxAgeSeconds = 31_536_000;

/**
 * Serves the built web app: assets with hashed names for ever, and index.html for all paths of pages.
 * @throws OperatorError where the web app has not been built
 */
export function webFiles(folder: string): Router {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) {
    throw new OperatorError(
      `the web app is not built: ${page} is missing; run \`node apps/console/build/main.ts\``,
    );
  }
  const router = Router({ caseSensitive: true, strict: true });
  const assets = express.static(join(folder, 'assets'), {
    index: false,
    fallthrough: false,
    immutable: true,
    maxAge: assetMaxAgeSeconds * 1000,
  });
  router.use('/assets', (request, response, next) => {
    nameRoute(response, '/assets');
    response.removeHeader('Cache-Control'); // the default of the exchange is no-store
    assets(request, response, next);
  });
  router.get(/^\/(?!api\/)[\w/.%~-]*$/, (_request, response) => {
    nameRoute(response, '/');
    response.set('Cache-Control', 'no-cache').sendFile(page, { cacheControl: false });
  });
  return router;
}

/** The label of the request in metrics: not its path, of which there are many. */
function nameRoute(response: Response, name: string): void {
  (response as ExchangeResponse).locals.exchange.route = name;
}
