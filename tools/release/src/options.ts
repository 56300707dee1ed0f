import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Makes everything of a release, and publishes nothing: that is done by .github/workflows/release.yml for a tag.

  npm run release -- --dry-run [options]

  --dry-run             has to be given: there is no other way from here
  --out FOLDER          folder that gets the release, replaced as a whole (dist/release)
  --tag TAG             a tag that is about to be published: has to be v and the version, of a clean checkout
  --image NAME          name of the image that the chart runs, without a tag (engawa)
  --images HOW          build them; list what is in those that are published under the name; or none (build)
  --platforms LIST      of the images, by comma (linux/amd64,linux/arm64)
  --repository ADDRESS  where the repository is published (that of package.json)
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

/** @throws OperatorError for what is no option, or does not fit */
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
      'a release is published by its tag (docs/releasing.md); --dry-run makes all of it here',
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
    // Registries take small letters only, and an owner's name may have others.
    image: values.image.toLowerCase(),
    images,
    platforms,
    address: values.repository,
  };
}
