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

interface PodList {
  items: { spec: { containers: { name: string; image: string }[] } }[];
}

/** What the pod of the clients runs. */
export const clientsScript = readFileSync(join(import.meta.dirname, 'clients.mjs'), 'utf8');

/** Not of the release, and allowed to ask its APIs. */
export const clientsPod = 'clients';
/** Milliseconds that the pod has to start, and each client to be answered. */
const timeoutMs = 120_000;

/** Clients in a pod of the cluster, which ask Services all the time, as no client outside of it can. */
export class Clients {
  readonly #commands: Commands;

  private constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Ends with each client's first answer. @throws Error when one gets none */
  static async start(commands: Commands, targets: Target[]): Promise<Clients> {
    const pods = await commands.kubectl(['get', 'pods', '--output=json']);
    const image = imageOfIngestion(JSON.parse(pods) as PodList);
    await commands.kubectl(['apply', '--filename=-'], JSON.stringify(podOf(image, targets)));
    await commands.kubectl(['wait', `pod/${clientsPod}`, '--for=condition=Ready', '--timeout=2m']);
    const clients = new Clients(commands);
    await clients.moreAnswers(1);
    return clients;
  }

  /** Waits until each has been answered so many times more. @throws Error that says which has not */
  async moreAnswers(count: number): Promise<void> {
    const before = await this.counts();
    const deadline = Date.now() + timeoutMs;
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
    const last = await this.#commands.kubectl(['logs', clientsPod, '--tail=1']);
    return last.trim() === '' ? [] : (JSON.parse(last) as ClientCount[]);
  }

  /** @throws Error that says what failed, when anything did */
  async stop(): Promise<void> {
    await this.check();
    await this.#commands.kubectl(['delete', 'pod', clientsPod, '--wait=true']);
  }

  /** @throws Error that says what failed so far, when anything did */
  async check(): Promise<void> {
    const counts = await this.counts();
    const failed = counts.filter((count) => count.failed > 0);
    if (failed.length > 0) throw new Error(`requests failed: ${JSON.stringify(failed, null, 2)}`);
  }
}

/** A pod that keeps the restricted Pod Security Standard. */
function podOf(image: string, targets: Target[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: clientsPod, labels: { 'app.kubernetes.io/name': clientsPod } },
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
          name: clientsPod,
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

/** The services' image, as the cluster has it. */
function imageOfIngestion({ items }: PodList): string {
  const containers = items.flatMap(({ spec }) => spec.containers);
  const { image } = containers.find(({ name }) => name === 'ingestion') ?? {};
  if (image === undefined) throw new Error('there is no pod of ingestion');
  return image;
}
