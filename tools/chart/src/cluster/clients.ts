import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';

export interface Target {
  name: string;
  method: 'GET' | 'POST';
  url: string;
  /** Whether connections are reused for several requests. */
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

/** The program of the clients' pod. */
export const clientsScript = readFileSync(join(import.meta.dirname, 'clients.mjs'), 'utf8');

/** A pod outside of the release, which may call its APIs. */
export const clientsPod = 'clients';
/** Maximum milliseconds for the start of the pod and for each client's response. */
const timeoutMs = 120_000;

/** Clients in a pod of the cluster that send requests to Services continuously. */
export class Clients {
  readonly #commands: Commands;

  private constructor(commands: Commands) {
    this.#commands = commands;
  }

  /**
   * Resolves after each client's first response.
   * @throws Error when a client receives none
   */
  static async start(commands: Commands, targets: Target[]): Promise<Clients> {
    const pods = await commands.kubectl(['get', 'pods', '--output=json']);
    const image = imageOfIngestion(JSON.parse(pods) as PodList);
    await commands.kubectl(['apply', '--filename=-'], JSON.stringify(podOf(image, targets)));
    await commands.kubectl(['wait', `pod/${clientsPod}`, '--for=condition=Ready', '--timeout=2m']);
    const clients = new Clients(commands);
    await clients.moreAnswers(1);
    return clients;
  }

  /**
   * Waits until each client has received this many further responses.
   * @throws Error that names the client without them
   */
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

  /** Counts so far; empty in the first second. */
  async counts(): Promise<ClientCount[]> {
    const last = await this.#commands.kubectl(['logs', clientsPod, '--tail=1']);
    return last.trim() === '' ? [] : (JSON.parse(last) as ClientCount[]);
  }

  /** @throws Error with the failures, if there were any */
  async stop(): Promise<void> {
    await this.check();
    await this.#commands.kubectl(['delete', 'pod', clientsPod, '--wait=true']);
  }

  /** @throws Error with the failures so far, if there were any */
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

/** The services' image that the cluster runs. */
function imageOfIngestion({ items }: PodList): string {
  const containers = items.flatMap(({ spec }) => spec.containers);
  const { image } = containers.find(({ name }) => name === 'ingestion') ?? {};
  if (image === undefined) throw new Error('there is no pod of ingestion');
  return image;
}
