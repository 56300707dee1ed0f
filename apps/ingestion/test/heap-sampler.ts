import { once } from 'node:events';

interface ProfileNode {
  callFrame: { url: string };
  selfSize: number;
  children: ProfileNode[];
}

interface Answer {
  id?: number;
  result?: { profile?: { head: ProfileNode } };
}

/** Mean bytes between two samples: small enough for an error of a few percent over some megabytes. */
const samplingInterval = 4096;

/** Measures what another process allocates, over Node's inspector (Chrome DevTools Protocol, "HeapProfiler"). */
export class HeapSampler {
  readonly #socket: WebSocket;
  #calls = 0;

  /** @param port of the process's `--inspect` */
  static async connect(port: number): Promise<HeapSampler> {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[];
    if (target === undefined) throw new Error('the inspector names no target');
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new HeapSampler(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  async start(): Promise<void> {
    await this.#call('HeapProfiler.startSampling', {
      samplingInterval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  }

  /**
   * @param files of which one is in the stack of each counted allocation: scrapes of the test allocate as well
   * @returns estimated bytes that were allocated since `start`, including collected objects
   */
  async stop(files: RegExp): Promise<number> {
    const { profile } = await this.#call('HeapProfiler.stopSampling', {});
    if (profile === undefined) throw new Error('the inspector returned no profile');
    return sizeOf(profile.head, files);
  }

  /** So that the heap has only objects that are in use. */
  async collectGarbage(): Promise<void> {
    await this.#call('HeapProfiler.collectGarbage', {});
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object): Promise<NonNullable<Answer['result']>> {
    const id = (this.#calls += 1);
    return new Promise((resolve) => {
      const receive = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id !== id) return;
        this.#socket.removeEventListener('message', receive);
        resolve(answer.result ?? {});
      };
      this.#socket.addEventListener('message', receive);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

function sizeOf(
  { callFrame, selfSize, children }: ProfileNode,
  files: RegExp,
  inside = false,
): number {
  const isCounted = inside || files.test(callFrame.url);
  return children.reduce(
    (sum, child) => sum + sizeOf(child, files, isCounted),
    isCounted ? selfSize : 0,
  );
}
