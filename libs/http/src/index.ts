export { RequestBudget } from './route/request-budget.ts';
export type { RequestLimits } from './route/request-budget.ts';
export { BulkReport, bulkFailureFields } from './bulk/bulk-report.ts';
export { inParallel } from './bulk/in-parallel.ts';
export { jsonEntries, maxBulkBytes, ndjson } from './bulk/json-entries.ts';
export { jsonLines } from './bulk/ndjson.ts';
export type { JsonLine } from './bulk/ndjson.ts';
export { createHttpApp } from './create-http-app.ts';
export type { HttpAppOptions } from './create-http-app.ts';
export { CursorCodec, maxCursorLength, cursorContext } from './paging/cursor-codec.ts';
export type { JsonValue } from './paging/cursor-codec.ts';
export { entityTag, weakTag } from './response/entity-tag.ts';
export type { Revision } from './response/entity-tag.ts';
export {
  expectedBy,
  expectedRevision,
  ifMatch,
  ifMatchRevision,
  putHeaders,
  revisionOfBody,
} from './request/preconditions.ts';
export type { ExpectedState } from './request/preconditions.ts';
export { expectResponse } from './openapi/expect-response.ts';
export { allPlaces } from './route/places.ts';
export type { Places } from './route/places.ts';
export { httpGuards } from './guards/http-guards.ts';
export type { HttpGuards, HttpGuardsOptions } from './guards/http-guards.ts';
export { openHotPartitions } from './hot-partitions/open-hot-partitions.ts';
export type { HotPartitionContext } from './hot-partitions/open-hot-partitions.ts';
export { PeerMetrics } from './hot-partitions/peer-metrics.ts';
export { HttpMetrics, requestDurationBounds } from './route/http-metrics.ts';
export { httpSettings } from './settings/http-settings.ts';
export type { HttpConfig } from './settings/http-settings.ts';
export type { OpenApiDocument } from './openapi/openapi-types.ts';
export { pageQuery } from './paging/page-query.ts';
export { integerParameter } from './request/integer-parameter.ts';
export {
  listQuery,
  nextCursor,
  parsePosition,
  readPage,
  readRows,
  resumableRows,
} from './paging/paging.ts';
export type { ListCall, ListSource, PageRequest, PageResult } from './paging/paging.ts';
export { startHttpService } from './start-http-service.ts';
export type { HttpServiceOptions } from './start-http-service.ts';
export { startProbes } from './server/probes.ts';
export { repeatedParameter } from './request/repeated-parameter.ts';
export { route } from './route/route.ts';
export type { Scope } from './route/caller.ts';
export type { Column, Route, RowStream } from './route/route.ts';
export type { BodyStream, StreamedBody } from './route/body-stream.ts';
export { resolveTime } from './times/resolve-time.ts';
export type { TimeContext } from './times/resolve-time.ts';
export { absoluteTime, localTimeOf, timeForms, timeParameter } from './times/time-parameter.ts';
export type { GivenTime } from './times/time-parameter.ts';
export { timeZoneParameter } from './times/time-zone-parameter.ts';
export { serve } from './server/serve.ts';
export { statusOf } from './response/problem-response.ts';
