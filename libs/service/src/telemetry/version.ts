import manifest from '../../package.json' with { type: 'json' };

/** Of Engawa: all packages, the chart and the image have the same (docs/adr/0056-one-version.md). */
export const { version } = manifest;
