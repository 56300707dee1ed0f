export { bulkFailureFields, BulkReport, isAboutEntry } from './bulk/bulk-report.ts';
export { inParallel } from './bulk/in-parallel.ts';
export { jsonEntries, maxBulkBytes, ndjson } from './bulk/json-entries.ts';
export type { JsonLine } from './bulk/ndjson.ts';
export type { EventStream } from './events/event-stream.ts';
export { ClientCounts, isWithinShare } from './guards/client-share.ts';
export { requireKnownHost } from './guards/known-hosts.ts';
export { limitRate } from './guards/limit-rate.ts';
export { requireSameOrigin } from './guards/same-origin.ts';
export { TokenRejections } from './guards/token-rejections.ts';
export { contractOf } from './openapi/contract-of.ts';
export { expectResponse } from './openapi/expect-response.ts';
export type { OpenApiDocument } from './openapi/openapi-types.ts';
export { CursorCodec, cursorContext, maxCursorLength } from './paging/cursor-codec.ts';
export { ListMoment } from './paging/list-moment.ts';
export type { Cursors } from './paging/list-moment.ts';
export type { JsonValue } from './paging/cursor-codec.ts';
export { pageQuery } from './paging/page-query.ts';
export {
  listQuery,
  nextCursor,
  parsePosition,
  readPage,
  readRows,
  resumableRows,
} from './paging/paging.ts';
export type {
  FittingPage,
  ListCall,
  ListSource,
  PageRequest,
  PageResult,
} from './paging/paging.ts';
export { peerHeader, PeerTokens } from './peers/peer-tokens.ts';
export { always, resolveAddresses, resolveHostByDns } from './peers/resolve-addresses.ts';
export type { ResolveHost } from './peers/resolve-addresses.ts';
export { integerParameter } from './request/integer-parameter.ts';
export {
  expectedBy,
  expectedRevision,
  ifMatch,
  ifMatchPresent,
  ifMatchRevision,
  putHeaders,
  revisionOfBody,
} from './request/preconditions.ts';
export type { ExpectedState } from './request/preconditions.ts';
export { repeatedParameter } from './request/repeated-parameter.ts';
export { entityTag, weakTag } from './response/entity-tag.ts';
export type { Revision } from './response/entity-tag.ts';
export { fittingText, jsonText, JsonText } from './response/json-text.ts';
export { sendProblem, statusOf } from './response/problem-response.ts';
export type { BodyStream } from './route/body-stream.ts';
export { beginExchange } from './route/exchange.ts';
export type { ExchangeHandler, ExchangeRequest, ExchangeResponse } from './route/exchange.ts';
export { HttpMetrics, requestDurationBounds } from './route/http-metrics.ts';
export { allPlaces } from './route/places.ts';
export type { Places } from './route/places.ts';
export { RequestBudget } from './route/request-budget.ts';
export type { RequestLimits } from './route/request-budget.ts';
export { route } from './route/route.ts';
export type { Column, Route, RowStream } from './route/route.ts';
export { listen } from './server/listen.ts';
export { startProbes } from './server/probes.ts';
export { httpSettings } from './settings/http-settings.ts';
export type { HttpConfig } from './settings/http-settings.ts';
export { startHttpService } from './start-http-service.ts';
export type { HttpServiceOptions } from './start-http-service.ts';
export { resolveTime } from './times/resolve-time.ts';
export type { TimeContext } from './times/resolve-time.ts';
export {
  absoluteTime,
  localTimeOf,
  relativeTime,
  timeForms,
  timeParameter,
} from './times/time-parameter.ts';
export type { ParsedTime } from './times/time-parameter.ts';
export { timeZoneParameter } from './times/time-zone-parameter.ts';
export type { ResponseWork } from './work/client-turns.ts';
export type { ClientWork } from './work/client-work.ts';
