/**
 * Loads all that the image can run, so that Node writes its code, compiled, to NODE_COMPILE_CACHE
 * when this process ends: the greater part of a start is compiling. Node finds it again only under
 * the same path and the same user.
 */
await import('@engawa/service');
await Promise.all([
  import('@engawa/ingestion'),
  import('@engawa/registry'),
  import('@engawa/registry/shrink'),
  import('@engawa/table/command'),
  import('@engawa/query'),
  import('@engawa/query/rollup'),
  import('@engawa/catalog'),
  import('@engawa/console'),
]);
