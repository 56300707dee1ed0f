import { mkdtempSync, rmSync, copyFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render } from '@engawa/chart/helm';
import { findEngine } from '@engawa/embedded';
import { docker, dockerDoes } from './docker.ts';
import { podsOf } from './pod.ts';

/** Values of the demo that say what its broker and its DynamoDB API run as. */
export interface DemoImages {
  broker: { image: string };
  dynamodb?: { image: string; command: string[]; args: string[] };
}

/** What the chart's demo runs beside our own image, and what that is built on. */
const base = 'node:24-bookworm-slim';

/**
 * The images of the demo's broker and DynamoDB API: the images that the chart names, where this engine
 * has them or can fetch them, else stand-ins: Debian's Mosquitto, and the embedded DynamoDB API of
 * `npm start`, on the base image of our own.
 */
export async function demoImages({ tag }: { tag: string }): Promise<DemoImages> {
  const { broker, dynamodb } = chartImages();
  const images: DemoImages = { broker: { image: broker } };
  if (!isThere(broker)) {
    const install =
      'apt-get update && apt-get install -y --no-install-recommends mosquitto && rm -rf /var/lib/apt/lists/*';
    images.broker.image = build(`${tag}-broker`, `FROM ${base}\nRUN ${install}\n`, []);
  }
  if (!isThere(dynamodb)) {
    // Containers are Linux on every machine.
    const engine = await findEngine({ platform: `linux-${process.arch}` });
    const image = `FROM ${base}\nCOPY dynoxide /usr/local/bin/dynoxide\n`;
    images.dynamodb = {
      image: build(`${tag}-dynamodb`, image, [engine]),
      command: ['dynoxide'],
      args: ['serve', '--host', '0.0.0.0', '--port', '8000', '--db-path', '/data/table.db'],
    };
  }
  return images;
}

/** Removes what `demoImages` has built, if it has; the steps of the builds stay, for the next. */
export function removeStandIns({ tag }: { tag: string }): void {
  for (const image of [`${tag}-broker`, `${tag}-dynamodb`]) {
    if (dockerDoes(['image', 'inspect', image])) docker(['rmi', '--no-prune', image]);
  }
}

function chartImages(): { broker: string; dynamodb: string } {
  const pods = podsOf(render({ values: { demo: { enabled: true } } }));
  const imageOf = (component: string): string => {
    const pod = pods.find(({ labels }) => labels['app.kubernetes.io/component'] === component);
    if (pod === undefined) throw new Error(`the demo has no ${component}`);
    return pod.spec.containers[0].image;
  };
  return { broker: imageOf('broker'), dynamodb: imageOf('dynamodb') };
}

function isThere(image: string): boolean {
  return dockerDoes(['image', 'inspect', image]) || dockerDoes(['pull', '--quiet', image]);
}

function build(tag: string, dockerfile: string, files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-stand-in-'));
  try {
    writeFileSync(join(folder, 'Dockerfile'), dockerfile);
    for (const file of files) copyFileSync(file, join(folder, 'dynoxide'));
    docker(['build', '--quiet', '--network', 'host', '--tag', tag, folder]);
    return tag;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
