import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import typescript from 'typescript-eslint';

/** What core libraries may never reach: the outside world comes in through adapters. */
const outsideWorld = [
  'express',
  '@aws-sdk/*',
  '@smithy/*',
  'mqtt',
  'mqtt-packet',
  'prom-client',
  '@opentelemetry/*',
];

const testFiles = ['**/*.test.ts', '**/test/**/*.ts'];

/** Code that runs in a browser. */
const webFiles = ['apps/console/web/**/*.ts', 'apps/console/web/**/*.tsx'];

/** Who may import whom (docs/architecture.md, "Layers"). */
const layers = [
  {
    sourceTag: 'layer:keys',
    onlyDependOnLibsWithTags: ['layer:testing'],
    bannedExternalImports: outsideWorld,
  },
  {
    sourceTag: 'layer:core',
    onlyDependOnLibsWithTags: ['layer:keys', 'layer:core', 'layer:testing'],
    bannedExternalImports: outsideWorld,
  },
  {
    sourceTag: 'layer:platform',
    onlyDependOnLibsWithTags: ['layer:keys', 'layer:core', 'layer:platform', 'layer:testing'],
  },
  {
    sourceTag: 'layer:adapter',
    onlyDependOnLibsWithTags: ['layer:keys', 'layer:core', 'layer:platform', 'layer:testing'],
  },
  // What all services offer alike.
  {
    sourceTag: 'layer:feature',
    onlyDependOnLibsWithTags: [
      'layer:keys',
      'layer:core',
      'layer:platform',
      'layer:adapter',
      'layer:testing',
    ],
  },
  // It is used beside our code, not with it.
  { sourceTag: 'layer:client', onlyDependOnLibsWithTags: ['layer:testing'] },
  {
    sourceTag: 'layer:testing',
    onlyDependOnLibsWithTags: ['layer:keys', 'layer:core', 'layer:platform'],
  },
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: [
      'layer:keys',
      'layer:core',
      'layer:platform',
      'layer:adapter',
      'layer:feature',
      'layer:testing',
    ],
  },
  // Its web app uses the services as their other clients do.
  {
    sourceTag: 'layer:console',
    onlyDependOnLibsWithTags: [
      'layer:keys',
      'layer:core',
      'layer:platform',
      'layer:adapter',
      'layer:feature',
      'layer:client',
      'layer:testing',
    ],
  },
  {
    sourceTag: 'layer:tool',
    onlyDependOnLibsWithTags: [
      'layer:keys',
      'layer:core',
      'layer:platform',
      'layer:adapter',
      'layer:feature',
      'layer:app',
      'layer:console',
      'layer:client',
      'layer:testing',
      'layer:tool',
    ],
  },
];

export default typescript.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/.nx/**',
      '**/dist/**',
      '**/.data/**',
      'libs/client/src/generated/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: {
      // One program for all, where a service would make one for each project: a third of the time.
      parserOptions: {
        project: ['tools/workspace/tsconfig.all.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: layers,
          allow: [],
          enforceBuildableLibDependency: false,
          // The entry point of the image loads the command of the library only when it is run.
          checkDynamicDependenciesExceptions: ['@engawa/table'],
        },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-console': 'error',
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 250 }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: [...testFiles, 'libs/testing/**', 'tools/bench/**', 'tools/catalog-fuzzer/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@engawa/testing',
              message: 'Only tests and tools that measure may import the testing library.',
            },
          ],
        },
      ],
    },
  },
  {
    files: webFiles,
    languageOptions: {
      parserOptions: {
        project: ['apps/console/web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    files: [...testFiles],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // Command-line tools talk to the person who runs them.
    files: ['tools/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  prettier,
);
