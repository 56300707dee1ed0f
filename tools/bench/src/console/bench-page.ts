import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { buildWeb } from '@engawa/console/build';
import { openChromium } from './open-chromium.ts';
import { taskTimes } from './task-times.ts';
import type { Browser, Page } from '@playwright/test';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { TaskTimes } from './task-times.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

interface Opened {
  folder: string;
  server: Server;
  browser: Browser;
  page: Page;
}

/** The page of apps/console/web/bench in a browser, built and served by this process. */
export class BenchPage {
  readonly #opened: Opened;

  private constructor(opened: Opened) {
    this.#opened = opened;
  }

  /** @throws OperatorError without Chromium */
  static async open(): Promise<BenchPage> {
    const browser = await openChromium();
    const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
    await buildWeb({ folder, page: 'bench' });
    const server = await serve(folder);
    const { port } = server.address() as AddressInfo;
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`http://127.0.0.1:${port}/index.html`);
    await page.waitForFunction('globalThis.bench !== undefined');
    return new BenchPage({ folder, server, browser, page });
  }

  /** Evaluates an expression in the page; a promise is awaited. */
  async evaluate(expression: string): Promise<void> {
    await this.#opened.page.evaluate(expression);
  }

  /** Opens the page again: nothing is compiled yet, and nothing is left of an earlier measurement. */
  async reload(): Promise<void> {
    await this.#opened.page.reload();
    await this.#opened.page.waitForFunction('globalThis.bench !== undefined');
  }

  /** Evaluates an expression, and measures the tasks of the page's main thread meanwhile. */
  async measure(expression: string): Promise<TaskTimes> {
    const { browser, page } = this.#opened;
    await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
    await this.evaluate(expression);
    return taskTimes(await browser.stopTracing());
  }

  async close(): Promise<void> {
    const { folder, server, browser } = this.#opened;
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function serve(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const path = join(folder, normalize(new URL(url, 'http://localhost').pathname));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': mediaTypes[extname(path)] ?? 'text/plain' });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
