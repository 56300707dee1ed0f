import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const help = `Installs the chart on a real cluster, and plays its life: rollouts, evictions and scaling under load, uninstall and reinstall.

  KUBECONFIG=file npm run test:cluster -- [options]

  --image REPOSITORY:TAG  the image, from where the cluster can pull it (default: the chart's, as loaded into kind)
  --namespace NAME        a namespace to make and delete (default engawa-test-<random>)
  --helm FILE             the Helm to install with (default: the one that npm brought)
  --values FILE           further values, such as imagePullSecrets
  --keep                  leaves the namespace as it is at the end, or when something fails
  --help                  this text

Needs KUBECONFIG and kubectl. All that is made is in that one namespace.
`;

export interface ClusterOptions {
  /** The chart's own where it is absent. */
  image: { repository: string; tag: string } | undefined;
  namespace: string;
  /** The path of a binary; the one that npm brought where it is absent. */
  helm: string | undefined;
  valuesFile: string | undefined;
  keep: boolean;
}

/** What has been asked for cannot be done as it was asked. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseOptions(
  args: string[],
  environment: NodeJS.ProcessEnv,
): ClusterOptions | 'help' {
  const { image, values, helm, keep, ...given } = parse(args);
  if (given.help) return 'help';
  if ((environment['KUBECONFIG'] ?? '') === '')
    throw new UsageError(
      'KUBECONFIG is not set; it has to name the file that leads to a cluster to test on (--help says what else is needed)',
    );
  for (const [name, file] of Object.entries({ values, helm }))
    if (file !== undefined && !existsSync(file))
      throw new UsageError(`--${name}: there is no file ${file}`);
  const namespace = given.namespace ?? `engawa-test-${randomBytes(3).toString('hex')}`;
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace))
    throw new UsageError(`--namespace: '${namespace}' is no name for a namespace`);
  return { image: imageOf(image), namespace, helm, valuesFile: values, keep };
}

function imageOf(image: string | undefined): ClusterOptions['image'] {
  if (image === undefined) return undefined;
  // The last colon after the last slash: a registry may have a port.
  const [, repository, tag] = /^(.+?):([\w.-]+)$/.exec(image) ?? [];
  if (repository === undefined || tag === undefined)
    throw new UsageError(
      `--image must be the image and its tag, such as registry.example/engawa:0.1.0, not '${image}'`,
    );
  return { repository, tag };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        image: text,
        namespace: text,
        values: text,
        helm: text,
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason.split('. ')[0] ?? reason} (--help lists the options)`);
  }
}
