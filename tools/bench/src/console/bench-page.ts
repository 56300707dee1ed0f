import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium } from '@playwright/test';
import { buildWeb } from '@engawa/console/build';
import { OperatorError } from '@engawa/errors';
import type { Browser, CDPSession, Page } from '@playwright/test';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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
  session: CDPSession;
}

/** The page of apps/console/web/bench in a browser, built and served by this process. */
export class BenchPage {
  readonly #opened: Opened;

  private constructor(opened: Opened) {
    this.#opened = opened;
  }

  /** @throws OperatorError without Chromium */
  static async open(): Promise<BenchPage> {
    const executablePath = executables.find((path) => existsSync(path));
    if (executablePath === undefined) {
      throw new OperatorError('console needs Chromium (apt-get install chromium)');
    }
    const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
    await buildWeb({ folder, page: 'bench' });
    const server = await serve(folder);
    const { port } = server.address() as AddressInfo;
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const session = await page.context().newCDPSession(page);
    // Figures of the main thread's CPU: other processes of the machine do not raise them.
    await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await session.send('Performance.enable');
    await page.goto(`http://127.0.0.1:${port}/index.html`);
    await page.waitForFunction('globalThis.bench !== undefined');
    return new BenchPage({ folder, server, browser, page, session });
  }

  get version(): string {
    return this.#opened.browser.version();
  }

  /** The value of an expression in the page; a promise is awaited. */
  async evaluate<Value>(expression: string): Promise<Value> {
    return this.#opened.page.evaluate(expression);
  }

  /** Frees what an earlier measurement has left, so that a later one does not pay for it. */
  async collectGarbage(): Promise<void> {
    await this.#opened.session.send('HeapProfiler.collectGarbage');
  }

  /** Milliseconds of CPU of the main thread for all tasks since the page was opened. */
  async taskCpuMs(): Promise<number> {
    const { metrics } = await this.#opened.session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
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
