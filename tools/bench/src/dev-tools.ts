import { setTimeout as sleep } from 'node:timers/promises';

interface Answer {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** The description of a browser or a process that can be inspected. */
interface Debuggable {
  webSocketDebuggerUrl: string;
}

type Parameters = Record<string, unknown>;

/** Milliseconds between two looks at a page. */
const pollMs = 100;

/**
 * Chrome's DevTools protocol (https://chromedevtools.github.io/devtools-protocol/), which Node speaks as well.
 * Playwright keeps a recording of requests for each page, whose memory would count as that of the page.
 */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    socket.addEventListener('close', () => {
      const error = { message: 'the inspected program has closed the connection' };
      for (const [id, resolve] of this.#waiting) resolve({ id, error });
    });
  }

  /** @param port of a browser that was started with `--remote-debugging-port` */
  static async connect(port: number): Promise<DevTools> {
    const response = await fetch(`http://127.0.0.1:${port}/json/version`);
    return DevTools.#open((await response.json()) as Debuggable);
  }

  /** @param port of a process of Node that was started with `--inspect` */
  static async connectToProcess(port: number): Promise<DevTools> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [process] = (await response.json()) as Debuggable[];
    if (process === undefined) throw new Error(`port ${port}: the process cannot be inspected`);
    return DevTools.#open(process);
  }

  static async #open({ webSocketDebuggerUrl }: Debuggable): Promise<DevTools> {
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new DevTools(socket);
  }

  close(): void {
    this.#socket.close();
  }

  /** @throws Error that the browser responds with */
  async send(method: string, params: Parameters = {}, sessionId?: string): Promise<Parameters> {
    const id = (this.#lastId += 1);
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    const { result = {}, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Opens a page in a window of its own: a page behind another one is hidden. */
  async openPage(url: string): Promise<DevToolsPage> {
    const size = { width: 1280, height: 800 };
    const { targetId } = await this.send('Target.createTarget', { url, newWindow: true, ...size });
    const attached = await this.send('Target.attachToTarget', { targetId, flatten: true });
    return new DevToolsPage(this, attached['sessionId'] as string);
  }
}

export class DevToolsPage {
  readonly #tools: DevTools;
  readonly #session: string;

  constructor(tools: DevTools, session: string) {
    this.#tools = tools;
    this.#session = session;
  }

  send(method: string, params: Parameters = {}): Promise<Parameters> {
    return this.#tools.send(method, params, this.#session);
  }

  /** Waits until an expression of the page is true. */
  async until(expression: string): Promise<void> {
    for (;;) {
      const { result } = await this.send('Runtime.evaluate', { expression }).catch(whileNavigating);
      if ((result as { value?: unknown } | undefined)?.value === true) return;
      await sleep(pollMs);
    }
  }
}

/** A page that is being opened has no place to evaluate anything in. */
function whileNavigating(error: Error): Parameters {
  if (/execution context|navigated/i.test(error.message)) return {};
  throw error;
}
