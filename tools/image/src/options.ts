import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Builds the image with every service, and the commands table, rollup and shrink.

  npm run image -- [tag] [options]

  tag               name and tag of the image (engawa:<version>)
  --base IMAGE      base image with Node 24 and npm (default: the one that the Dockerfile pins)
  --network NAME    network of the build, such as host, if packages are not reachable otherwise
  --help            this text
`;

export interface ImageOptions {
  tag: string;
  base: string | undefined;
  network: string | undefined;
  help: boolean;
}

/**
 * @param version of Engawa
 * @throws OperatorError for an unknown option
 */
export function parseOptions(args: string[], version: string): ImageOptions {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        base: { type: 'string' },
        network: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const [tag = `engawa:${version}`, ...more] = positionals;
    if (more.length > 0) throw new Error(`there is one tag, not ${positionals.join(' and ')}`);
    return { tag, base: values.base, network: values.network, help: values.help };
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason}; npm run image -- --help lists the options`);
  }
}

/** What the Docker client is told; it reads the Dockerfile from standard input. */
export function buildArguments(
  { tag, network }: Pick<ImageOptions, 'tag' | 'network'>,
  version: string,
): string[] {
  return [
    ...['build', '--tag', tag, '--build-arg', `VERSION=${version}`],
    ...(network === undefined ? [] : ['--network', network]),
    ...['--file', '-', '.'],
  ];
}
