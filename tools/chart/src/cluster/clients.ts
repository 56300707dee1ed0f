import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';

export interface Target {
  name: string;
  method: 'GET' | 'POST';
  url: string;
  /** Whether connections are kept from one request to the next. */
  kept: boolean;
}

export interface ClientCount {
  name: string;
  answered: number;
  failed: number;
  /** The first failures, with their times. */
  failures: string[];
}

/** What the pod of the clients runs. */
export const clientsScript = readFileSync(join(import.meta.dirname, 'clients.mjs'), 'utf8');

const podName = 'clients';
/** Milliseconds that the pod has to start, and each client to be answered. */
const patience = 120_000;

/** Clients in a pod of the cluster, which ask Services all the time, as no client outside of it can. */
export class Clients {
  readonly #commands: Commands;

  private constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Ends with each client's first answer. @throws Error when one gets none */
  static async start(commands: Commands, image: string, targets: Target[]): Promise<Clients> {
    await commands.kubectl(['apply', '--filename=-'], JSON.stringify(podOf(image, targets)));
    await commands.kubectl(['wait', `pod/${podName}`, '--for=condition=Ready', '--timeout=2m']);
    const clients = new Clients(commands);
    await clients.moreAnswers(1);
    return clients;
  }

  /** Waits until each has been answered so many times more. @throws Error that says which has not */
  async moreAnswers(count: number): Promise<void> {
    const before = await this.counts();
    const deadline = Date.now() + patience;
    for (;;) {
      const now = await this.counts();
      const behind = now.filter(
        ({ answered }, index) => answered < (before[index]?.answered ?? 0) + count,
      );
      if (now.length > 0 && behind.length === 0) return;
      if (Date.now() > deadline) throw new Error(`not answered: ${JSON.stringify(behind)}`);
      await sleep(1000);
    }
  }

  /** So far; none before the first second is over. */
  async counts(): Promise<ClientCount[]> {
    const last = await this.#commands.kubectl(['logs', podName, '--tail=1']);
    return last.trim() === '' ? [] : (JSON.parse(last) as ClientCount[]);
  }

  /** @throws Error that says what failed, when anything did */
  async stop(): Promise<void> {
    const counts = await this.counts();
    await this.#commands.kubectl(['delete', 'pod', podName, '--wait=true']);
    const failed = counts.filter((count) => count.failed > 0);
    if (failed.length > 0) throw new Error(`requests failed: ${JSON.stringify(failed, null, 2)}`);
  }
}

/** A pod that keeps the restricted Pod Security Standard. */
function podOf(image: string, targets: Target[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName, labels: { 'app.kubernetes.io/name': podName } },
    spec: {
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: podName,
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['node', '--input-type=module', '--eval', clientsScript],
          env: [{ name: 'TARGETS', value: JSON.stringify(targets) }],
          resources: { requests: { cpu: '20m', memory: '64Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
}
