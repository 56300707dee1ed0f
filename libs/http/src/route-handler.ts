import { Problem } from '@engawa/errors';
import { RequestBudget } from './route/request-budget.ts';
import { isKnown, representationTag } from './response/entity-tag.ts';
import type { ExchangeHandler, ExchangeRequest, ExchangeResponse } from './route/exchange.ts';
import { admit, placesOfCaller, subjectOfCaller } from './guards/authorize.ts';
import { withHardStop } from './guards/hard-timeout.ts';
import type { HttpGuards } from './guards/http-guards.ts';
import { peerHeader } from './guards/peer-tokens.ts';
import { readInput } from './request/read-input.ts';
import type { AnyResponse, AnyCall, Route } from './route/route.ts';
import { acceptedForm } from './rows/negotiate-format.ts';
import type { ListCall } from './paging/paging.ts';
import { cursorColumn, rowFormat } from './rows/row-format.ts';
import { sendRows } from './rows/send-rows.ts';
import { discardRest } from './request/streamed-body.ts';

/** Whether the request may, what it asks, in which form, and the answer to it. */
export function routeHandler(
  route: Route,
  { requestLimits: limits, tokens, peers, transfer }: HttpGuards,
): ExchangeHandler {
  const { rows } = route;
  return async (request, response) => {
    const { exchange } = response.locals;
    const isPeer = route.allowsPeers === true && peers?.isValid(request.get(peerHeader)) === true;
    if (tokens !== undefined && !isPeer) admit(route, response, tokens.service);
    const form = rows === undefined ? 'application/json' : acceptedForm(request, response);
    const callsOf = async (): Promise<AnyCall[]> => {
      const { headers, ...input } = await readInput(route, request, transfer);
      const { signal, log } = exchange;
      const caller = { places: placesOfCaller(exchange), subject: subjectOfCaller(exchange) };
      const own = { signal, log, isPeer, ...caller, budget: new RequestBudget(limits) };
      return headers.map((given) => ({ ...input, headers: given, ...own }));
    };
    if (rows !== undefined && form !== 'application/json') {
      const [call] = (await callsOf()) as [AnyCall];
      const { resumable } = call.query as ListCall['query'];
      const format = await rowFormat(form, async () => {
        const columns = await rows.columns(call);
        return resumable === true ? [...columns, cursorColumn] : columns;
      });
      await sendRows({ rows: rows.each(call), format, request, response });
      return;
    }
    // What is uploaded comes as fast as the client sends it, and its route minds its own time.
    const { deadlineMs } = route.streamed === undefined ? limits : { deadlineMs: undefined };
    const answer = await callsOf()
      .then((calls) => withHardStop({ deadlineMs, exchange }, () => firstMatching(route, calls)))
      .finally(() => discardRest(route, request));
    sendAnswer(route, answer, request, response);
  };
}

/** The answer for the first of the versions in If-Match that the item has. */
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

function sendAnswer(
  { hasEntityTag = false }: Route,
  answer: AnyResponse,
  request: ExchangeRequest,
  response: ExchangeResponse,
): void {
  // Made before anything of the answer is set: should it fail, the problem starts from nothing.
  const text = answer.body === undefined ? undefined : JSON.stringify(answer.body);
  const itemTag = hasEntityTag ? answer.headers?.['ETag'] : undefined;
  response.status(answer.status);
  if (text !== undefined) response.type('json');
  response.set(answer.headers ?? {});
  if (itemTag === undefined || text === undefined) {
    response.send(text);
    return;
  }
  const tag = representationTag(itemTag, text);
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  if (!isKnown(request.get('if-none-match'), tag)) {
    response.send(text);
    return;
  }
  // RFC 9110 section 15.4.5: of the headers of the representation, those that caches need.
  response.removeHeader('Content-Type');
  response.status(304).end();
}
