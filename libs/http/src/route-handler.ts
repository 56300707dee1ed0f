import { Problem } from '@engawa/errors';
import { sendEvents } from './events/send-events.ts';
import { RequestBudget } from './route/request-budget.ts';
import { jsonText } from './response/json-text.ts';
import { isKnown, representationTag } from './response/entity-tag.ts';
import { setUnits } from './response/units-header.ts';
import type { ExchangeHandler, ExchangeRequest, ExchangeResponse } from './route/exchange.ts';
import { authorize, placesOfCaller, subjectOfCaller } from './guards/authorize.ts';
import { clientKeyOf } from './guards/client-key.ts';
import { withHardTimeout } from './guards/hard-timeout.ts';
import type { HttpGuards } from './guards/http-guards.ts';
import { peerHeader } from './peers/peer-tokens.ts';
import { mergePatchType } from './request/json-body.ts';
import { readInput } from './request/read-input.ts';
import type { AnyResponse, AnyCall, Column, Route } from './route/route.ts';
import { negotiateFormat, requireAcceptable } from './rows/negotiate-format.ts';
import type { ListCall } from './paging/paging.ts';
import { cursorColumn, rowFormat } from './rows/row-format.ts';
import { sendRows } from './rows/send-rows.ts';
import type { ClientWork } from './work/client-work.ts';
import { discardRest } from './request/streamed-body.ts';

const jsonType = 'application/json; charset=utf-8';

/** Handles the requests of a route: authorization, content negotiation, validation, the handler, and the response. */
export function routeHandler(
  route: Route,
  { requestLimits: limits, tokens, peers, transfer, work: shared }: HttpGuards,
): ExchangeHandler {
  const { rows } = route;
  const only = onlyTypeOf(route);
  return async (request, response) => {
    const { exchange } = response.locals;
    const isPeer = route.allowsPeers === true && peers?.isValid(request.get(peerHeader)) === true;
    if (tokens !== undefined && !isPeer) authorize(route, response, tokens.service);
    if (only !== undefined) requireAcceptable(request, only);
    const form = rows === undefined ? 'application/json' : negotiateFormat(request, response);
    const client = clientKeyOf(request, response);
    const work = shared.of(client, exchange.signal);
    const callsOf = async (): Promise<AnyCall[]> => {
      const { headers, ...input } = await readInput(route, request, transfer);
      const { signal, log } = exchange;
      const caller = { places: placesOfCaller(exchange), subject: subjectOfCaller(exchange) };
      const budget = new RequestBudget(limits);
      const isMergePatch = typeof request.is(mergePatchType) === 'string';
      const own = { signal, log, isPeer, isMergePatch, ...caller, client, work, budget };
      return headers.map((given) => ({ ...input, headers: given, ...own }));
    };
    if (rows !== undefined && form !== 'application/json') {
      const [call] = (await callsOf()) as [AnyCall];
      const isHead = request.method === 'HEAD';
      const format = await rowFormat(form, () => (isHead ? [] : columnsOf(rows, call)));
      // The headers depend on the first row only: whether it can be read.
      const wanted = isHead ? { ...call, query: { ...call.query, limit: 1 } } : call;
      await sendRows({ rows: rows.each(wanted), format, request, response, work });
      return;
    }
    // The client decides how long an upload takes; its route has timeouts of its own.
    const { deadlineMs } = route.streamed === undefined ? limits : { deadlineMs: undefined };
    const result = await callsOf()
      .then((calls) => withHardTimeout({ deadlineMs, exchange }, () => firstMatching(route, calls)))
      .finally(() => discardRest(route, request));
    if (result.events !== undefined) sendEvents(result.events, request, response);
    else await sendResponse(route, result, { request, response, work });
  };
}

/** The only media type that a route to read has; undefined where it has several. A change is not refused for it. */
function onlyTypeOf({ method, rows, responses }: Route): string | undefined {
  if (method !== 'get' || rows !== undefined) return undefined;
  const isStream = Object.values(responses).some(({ events }) => events !== undefined);
  return isStream ? 'text/event-stream' : 'application/json';
}

async function columnsOf(rows: NonNullable<Route['rows']>, call: AnyCall): Promise<Column[]> {
  const columns = await rows.columns(call);
  const { resumable } = call.query as ListCall['query'];
  return resumable === true ? [...columns, cursorColumn] : [...columns];
}

/** Tries the revisions of If-Match until the item has one of them. */
async function firstMatching(route: Route, calls: readonly AnyCall[]): Promise<AnyResponse> {
  let mismatch: unknown;
  for (const call of calls) {
    try {
      return await route.handle(call);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'version-mismatch') throw error;
      mismatch = error;
    }
  }
  throw mismatch;
}

interface SendOptions {
  request: ExchangeRequest;
  response: ExchangeResponse;
  work: ClientWork;
}

async function sendResponse(
  { hasEntityTag = false }: Route,
  result: AnyResponse,
  { request, response, work }: SendOptions,
): Promise<void> {
  // Serialized before headers are set: where it fails, the problem response has none of them.
  const text = result.body === undefined ? undefined : await work.run(jsonText(result.body));
  const itemTag = hasEntityTag ? result.headers?.['ETag'] : undefined;
  response.status(result.status);
  setUnits(response);
  if (text !== undefined) response.setHeader('Content-Type', jsonType);
  if (result.headers !== undefined) response.set(result.headers);
  if (itemTag === undefined || text === undefined) {
    sendText(text, request, response);
    return;
  }
  const tag = representationTag(itemTag, text);
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  if (!isKnown(request.get('if-none-match'), tag)) {
    sendText(text, request, response);
    return;
  }
  // RFC 9110, section 15.4.5: a 304 has only the headers that caches need.
  response.removeHeader('Content-Type');
  response.status(304).end();
}

/** As Express sends it, without its lookups where they find nothing: in a request of GET without conditions. */
function sendText(
  text: string | undefined,
  { method, headers }: ExchangeRequest,
  response: ExchangeResponse,
): void {
  const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers;
  if (text === undefined || method !== 'GET' || response.statusCode !== 200 || isConditional) {
    response.send(text);
    return;
  }
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
