import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Builds the image: every service, and the commands that make the table and roll up.

  npm run image -- [tag] [options]

  tag               name and tag of the image (engawa:<version>)
  --base IMAGE      image with Node 24 and npm to build on (the one that the Dockerfile pins)
  --network NAME    network of the build, such as host, where the packages cannot be reached otherwise
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
 * @throws OperatorError for an option that there is not
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
