import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ExchangeHandler } from '../route/exchange.ts';

/** Files of Swagger UI; nothing is loaded from another host. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Served as a file, since the content security policy forbids inline scripts. */
const startScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Caching of files that change with each release. */
export const pageCaching = 'public, max-age=300';

/** URLs are relative, so that the page also works behind a path prefix. */
const page = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body><div id="docs"></div></body>
</html>
`;

/** Swagger UI sets inline styles and uses data: images; everything else is from this service. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The Swagger UI page: its handlers by path. */
export function docsPage(title: string): Record<string, ExchangeHandler> {
  const root = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const html = page(title);
  return {
    '/docs': (_request, response) => {
      response.set({ 'Content-Security-Policy': policy, 'Cache-Control': pageCaching });
      response.type('html').send(html);
    },
    '/docs/start.js': (_request, response) => {
      response.set('Cache-Control', pageCaching).type('js').send(startScript);
    },
    ...Object.fromEntries(assets.map((name) => [`/docs/${name}`, asset(path.join(root, name))])),
  };
}

/** Read at each request: the page is rarely opened, and its files have 1.7 MB. */
function asset(file: string): ExchangeHandler {
  return async (_request, response) => {
    const bytes = await readFile(file);
    response.set('Cache-Control', 'public, max-age=3600').type(path.extname(file)).send(bytes);
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
