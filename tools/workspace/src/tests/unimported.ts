/** Tests whose subject is not imported, so that imports do not tell when they have to run. */

/** Files that tests read, and these tests. Both are regular expressions over paths in the workspace. */
export const readers: readonly { files: RegExp; tests: RegExp }[] = [
  { files: /\.(md|ya?ml|sh)$|\.[mc]?[tj]sx?$/, tests: /^tools\/workspace\/test\/prose/ },
  { files: /\.tsx?$/, tests: /^tools\/workspace\/test\/import-circles/ },
  { files: /^eslint\.config|package\.json$/, tests: /^tools\/workspace\/test\/layers/ },
  { files: /\.md$/, tests: /^tools\/(reference|release)\/|^tools\/system-tests\/test\/\w+-page/ },
  { files: /^docs\/catalog\.md$/, tests: /^apps\/catalog\/test\/limits-page/ },
  { files: /^docs\/adr\//, tests: /^tools\/workspace\/test\/decisions/ },
  { files: /^docs\/(dashboards|runbooks)/, tests: /^tools\/dashboards\// },
  { files: /^charts\//, tests: /^tools\/(chart|dashboards|release)\// },
  { files: /^examples\//, tests: /^tools\/system-tests\/test\/(catalog-)?examples/ },
  { files: /^(\.github|\.ci)\/|^Dockerfile$/, tests: /^tools\/(release|image)\// },
];

/** Tests that start the services as processes: any change of code can affect them, and they take minutes. */
export const processTests = /^tools\/(system-tests|local|image)\//;

/** A change of these files can affect every test. */
export const affectsAll = /^(package-lock\.json|jest\.\w+\.cjs|tsconfig\.base\.json)$/;
