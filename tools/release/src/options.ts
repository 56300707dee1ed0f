import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Builds all release artifacts and publishes none; .github/workflows/release.yml publishes a tag.

  npm run release -- --dry-run [options]

  --dry-run             required: publishing needs the identity of the workflow
  --out FOLDER          output folder, replaced as a whole (dist/release)
  --tag TAG             tag to publish: must be v and the version, of a clean checkout
  --image NAME          image name in the chart, without a tag (engawa)
  --images HOW          build: build images; published: only generate SBOMs of the published image; none (build)
  --platforms LIST      of the images, by comma (linux/amd64,linux/arm64)
  --repository URL      home and source of the chart (repository of package.json)
  --help                this text
`;

const ways = ['build', 'published', 'none'] as const;

export interface ReleaseOptions {
  out: string;
  tag: string | undefined;
  image: string;
  images: (typeof ways)[number];
  platforms: string[];
  address: string | undefined;
}

/** @throws OperatorError for an unknown option or value */
export function parseOptions(args: string[], workspace: string): ReleaseOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      out: { type: 'string', default: 'dist/release' },
      tag: { type: 'string' },
      image: { type: 'string', default: 'engawa' },
      images: { type: 'string', default: 'build' },
      platforms: { type: 'string', default: 'linux/amd64,linux/arm64' },
      repository: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (!values['dry-run']) {
    throw new OperatorError(
      'a release is published by its tag (docs/releasing.md); --dry-run builds its artifacts here',
    );
  }
  const images = ways.find((way) => way === values.images);
  if (images === undefined) {
    throw new OperatorError(`--images must be one of ${ways.join(', ')}, not '${values.images}'`);
  }
  const platforms = values.platforms.split(',');
  const wrong = platforms.find((platform) => !/^linux\/(amd64|arm64)$/.test(platform));
  if (wrong !== undefined) {
    throw new OperatorError(`--platforms must be linux/amd64, linux/arm64 or both, not '${wrong}'`);
  }
  return {
    out: resolve(workspace, values.out),
    tag: values.tag,
    // Registries accept only lower case; an owner's name may have upper case.
    image: values.image.toLowerCase(),
    images,
    platforms,
    address: values.repository,
  };
}
