import { Budget } from './budget.ts';
import type { ExchangeHandler, ExchangeResponse } from './exchange.ts';
import { admit, placesOfCaller } from './guards/admit.ts';
import { withHardStop } from './guards/hard-stop.ts';
import type { HttpGuards } from './guards/http-guards.ts';
import { readInput } from './read-input.ts';
import type { AnyAnswer, AnyCall, Route } from './route.ts';
import { acceptedForm } from './rows/accepted-form.ts';
import { rowFormat } from './rows/row-format.ts';
import { sendRows } from './rows/send-rows.ts';
import { discardRest } from './streamed-body.ts';

/** Whether the request may, what it asks, in which form, and the answer to it. */
export function routeHandler(
  route: Route,
  { limits, tokens, transfer }: HttpGuards,
): ExchangeHandler {
  const { rows } = route;
  return async (request, response) => {
    const { exchange } = response.locals;
    if (tokens !== undefined) admit(route, response, tokens.service);
    const form = rows === undefined ? 'application/json' : acceptedForm(request, response);
    const callOf = async (): Promise<AnyCall> => {
      const input = await readInput(route, request, transfer);
      const { signal, log } = exchange;
      const places = placesOfCaller(exchange);
      return { ...input, signal, log, places, budget: new Budget(limits) };
    };
    if (rows !== undefined && form !== 'application/json') {
      const call = await callOf();
      const format = await rowFormat(form, () => rows.columns(call));
      await sendRows({ rows: rows.each(call), format, request, response });
      return;
    }
    // What is uploaded comes as fast as the client sends it, and its route minds its own time.
    const { deadlineMs } = route.streamed === undefined ? limits : { deadlineMs: undefined };
    const answer = await callOf()
      .then((call) => withHardStop({ deadlineMs, exchange }, () => route.handle(call)))
      .finally(() => discardRest(route, request));
    sendAnswer(answer, response);
  };
}

function sendAnswer(answer: AnyAnswer, response: ExchangeResponse): void {
  // Made before anything of the answer is set: should it fail, the problem starts from nothing.
  const text = answer.body === undefined ? undefined : JSON.stringify(answer.body);
  response.status(answer.status);
  if (text !== undefined) response.type('json');
  response.set(answer.headers ?? {}).send(text);
}
