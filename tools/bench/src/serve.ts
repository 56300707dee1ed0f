/** The methods of a worker: each takes one object and returns one result. */
export type Methods<Names extends string> = Record<Names, (input: never) => Promise<unknown>>;

export interface Call {
  id: number;
  name: string;
  input: unknown;
}

export interface CallResult {
  id: number;
  result?: unknown;
  error?: string;
}

type Send = (answer: CallResult | { ready: unknown }) => void;

/**
 * The worker's side of `Worker`: reports that it is ready, with a value such as its address, and
 * answers calls until the bench ends.
 */
export function serve<Names extends string>(methods: Methods<Names>, ready: unknown = {}): void {
  const send: Send = (message) => process.send?.(message);
  const byName = new Map<string, (input: never) => Promise<unknown>>(Object.entries(methods));
  process.on('message', ({ id, name, input }: Call) => {
    const method = byName.get(name);
    if (method === undefined) {
      send({ id, error: `no method ${name}` });
      return;
    }
    method(input as never).then(
      (result) => send({ id, result }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches the whole process group; the bench ends its workers itself.
  process.on('SIGINT', () => undefined);
  send({ ready });
}

/** Microseconds of CPU that this process has used, including its threads and kernel time. */
export function usedCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
