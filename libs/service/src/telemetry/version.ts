import manifest from '../../package.json' with { type: 'json' };

/** Version of Engawa: all packages, the chart and the image have the same one (docs/adr/0056-one-version.md). */
export const { version } = manifest;
