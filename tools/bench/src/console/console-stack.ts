import { startLocalStack } from '@engawa/embedded';
import { openChromium } from './open-chromium.ts';
import type { LocalStack } from '@engawa/embedded';
import type { Browser, Page } from '@playwright/test';

/** The whole stack with simulated homes, and a browser beside it. */
export class ConsoleStack {
  readonly #stack: LocalStack;
  readonly #browser: Browser;

  private constructor(stack: LocalStack, browser: Browser) {
    this.#stack = stack;
    this.#browser = browser;
  }

  /**
   * @param environment settings of the services
   * @throws OperatorError without Chromium
   */
  static async start(environment: Record<string, string> = {}): Promise<ConsoleStack> {
    const browser = await openChromium();
    try {
      return new ConsoleStack(await startLocalStack({ simulator: true, environment }), browser);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  get urls(): Pick<LocalStack, 'consoleUrl' | 'mqttUrl' | 'consoleMetricsUrl'> {
    return this.#stack;
  }

  get browser(): Browser {
    return this.#browser;
  }

  /** A page without anything of earlier ones: no cache, no storage, no compiled code. */
  async newPage(): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#stack.consoleUrl,
      viewport: { width: 1280, height: 800 },
    });
    return context.newPage();
  }

  /** A request to a service through the console. @throws Error for another status than 2xx */
  async put(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.#stack.consoleUrl}/api${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#stack.close();
  }
}
