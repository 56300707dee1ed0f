export { Budget } from './budget.ts';
export type { Limits } from './budget.ts';
export { EntryReport, shownFailures } from './bulk/entry-report.ts';
export { inParallel } from './bulk/in-parallel.ts';
export { jsonEntries, largestBody, ndjson } from './bulk/json-entries.ts';
export { jsonLines } from './bulk/ndjson.ts';
export type { JsonLine } from './bulk/ndjson.ts';
export { createHttpApp } from './create-http-app.ts';
export type { HttpAppOptions } from './create-http-app.ts';
export { CursorCodec, longestCursor, questionOf } from './cursor-codec.ts';
export type { Json } from './cursor-codec.ts';
export {
  entityTag,
  expectedBy,
  expectedRevision,
  ifMatch,
  ifMatchRevision,
  putHeaders,
  weakTag,
  revisionOfBody,
} from './entity-tag.ts';
export type { Expected, Revision } from './entity-tag.ts';
export { expectAnswer } from './expect-answer.ts';
export { everywhere } from './guards/places.ts';
export type { Places } from './guards/places.ts';
export { httpGuards } from './guards/http-guards.ts';
export type { HttpGuards, HttpGuardsOptions } from './guards/http-guards.ts';
export { openHotPartitions } from './hot-partitions/open-hot-partitions.ts';
export type { HotPartitionContext } from './hot-partitions/open-hot-partitions.ts';
export { PeerMetrics } from './hot-partitions/peer-metrics.ts';
export { HttpMetrics, requestDurationBounds } from './http-metrics.ts';
export { httpSettings } from './http-settings.ts';
export type { HttpConfig } from './http-settings.ts';
export type { OpenApiDocument } from './openapi.ts';
export { integerParameter, pageQuery } from './page-query.ts';
export {
  listQuery,
  nextCursor,
  parsePosition,
  readPage,
  readRows,
  resumableRows,
} from './rows/paging.ts';
export type { ListCall, Listing, PageAsked, PageRead } from './rows/paging.ts';
export { startProbes } from './probes.ts';
export type { ProbesOptions, Readiness } from './probes.ts';
export { repeatedParameter } from './repeated-parameter.ts';
export { route } from './route.ts';
export type { Column, Route, Rows, Scope } from './route.ts';
export type { BodyStream, StreamedBody } from './streamed-body.ts';
export { resolveTime } from './times/resolve-time.ts';
export type { TimeContext } from './times/resolve-time.ts';
export { absoluteTime, localTimeOf, timeForms, timeParameter } from './times/time-parameter.ts';
export type { GivenTime } from './times/time-parameter.ts';
export { timeZoneParameter } from './times/time-zone-parameter.ts';
export { serve } from './serve.ts';
export type { ServeContext } from './serve.ts';
export { statusOf } from './problem-answer.ts';
