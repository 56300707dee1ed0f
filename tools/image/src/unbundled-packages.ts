/**
 * Packages that are not bundled. OpenTelemetry's SDK patches modules while they are loaded, and selects exporters by
 * name. Swagger UI consists of files for browsers.
 */
export const unbundledPackages = [
  '@opentelemetry/sdk-node',
  '@opentelemetry/instrumentation-http',
  'import-in-the-middle',
  'swagger-ui-dist',
];
