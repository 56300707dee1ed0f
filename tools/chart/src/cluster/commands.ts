import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { helmCommand } from '../helm.ts';

/** A command that exited with another code than 0, with its output. */
export class CommandFailure extends Error {}

export interface PortForward {
  url: string;
  close(): Promise<void>;
}

/** kubectl and Helm, in one namespace. They find the cluster by KUBECONFIG. */
export class Commands {
  readonly namespace: string;
  readonly #helm: string;

  /** @param helm the command; the one that npm brought where it is absent */
  constructor(namespace: string, helm = helmCommand()) {
    this.namespace = namespace;
    this.#helm = helm;
  }

  /**
   * @returns kubectl's output
   * @throws CommandFailure
   */
  kubectl(args: readonly string[], input = ''): Promise<string> {
    return run('kubectl', ['--namespace', this.namespace, ...args], input);
  }

  /**
   * @returns Helm's output
   * @throws CommandFailure
   */
  helm(args: readonly string[], input = ''): Promise<string> {
    return run(this.#helm, [...args, '--namespace', this.namespace], input);
  }

  /** Forwards a free port of this machine to a port of a Service's pod. */
  async forward(service: string, port: number): Promise<PortForward> {
    const args = ['port-forward', `service/${service}`, `:${port}`, '--address', '127.0.0.1'];
    const child = spawn('kubectl', ['--namespace', this.namespace, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    const close = async () => {
      child.kill();
      await ended;
    };
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    for (;;) {
      const [, local] = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (local !== undefined) return { url: `http://127.0.0.1:${local}`, close };
      const next = await Promise.race([once(child.stdout, 'data'), ended.then(() => 'ended')]);
      if (next === 'ended') throw new CommandFailure(`kubectl ${args.join(' ')}\n${said}`);
    }
  }
}

async function run(command: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  // A command that fails at once does not read its input; its exit code reports the failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return stdout;
  throw new CommandFailure(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
}
