import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Conflicts, conflictsSchema } from './conflicts.ts';
import { handleControl } from './control.ts';
import { Counters } from './counters.ts';
import { operationOf, readText, sendText, serverOf, urlOf } from './exchange.ts';
import { Faults, faultsSchema } from './faults.ts';
import { Limiter, limitsSchema } from './limits.ts';
import { planRequest } from './plans/plan-request.ts';
import { randomFrom } from './random.ts';
import { refusalOf } from './refusals/refusal-of.ts';
import { exceptionAnswer } from './rules/exceptions.ts';
import { createCaches } from './rules/expression/expression-cache.ts';
import { throttledTransaction, throttlingAnswer } from './rules/throttling.ts';
import { refuseOldSignature } from './clock.ts';
import { Upstream, UpstreamRefusal } from './upstream.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Charge } from './rules/charge.ts';
import type { Document, DynamoDbResponse } from './rules/exceptions.ts';
import type { Throttle } from './rules/throttling.ts';
import type { ConflictsInput } from './conflicts.ts';
import type { InjectedFaultInput, FaultKind, MatchedFault } from './faults.ts';
import type { Limits, LimitsInput } from './limits.ts';
import type { RequestPart, Plan } from './plans/plan.ts';

export interface SimulatorOptions {
  /** URL of the DynamoDB API behind. It must not verify signatures: clients sign for the simulator's address. */
  upstream: string;
  host?: string;
  /** 0: any free port. */
  port?: number;
  limits?: LimitsInput;
  faults?: readonly InjectedFaultInput[];
  /** Milliseconds for which transactions lock their items; undefined: no transaction conflicts. */
  conflicts?: ConflictsInput;
  /** Of the random numbers. */
  seed?: number;
}

interface Exchange {
  operation: string;
  body: Document;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Faults of a request as a whole: DynamoDB's answer is not returned. */
const wholeFaults = ['hang', 'reset', 'exception'] as const;

/** A proxy for a DynamoDB API that adds what emulators lack: throttling per partition key, and injected faults. */
export class Simulator {
  readonly counters = new Counters();
  readonly #upstream: Upstream;
  readonly #expressions = createCaches();
  readonly #seed: number;
  readonly #faults: Faults;
  readonly #conflicts: Conflicts;
  readonly #server: Server;
  #limits: Limits;
  #limiter: Limiter;

  static async start(options: SimulatorOptions): Promise<Simulator> {
    const simulator = new Simulator(options);
    const { port = 0, host = '127.0.0.1' } = options;
    simulator.#server.listen(port, host);
    await once(simulator.#server, 'listening');
    return simulator;
  }

  private constructor(options: SimulatorOptions) {
    const { upstream, limits = {}, faults = [], seed = 1, conflicts } = options;
    this.#upstream = new Upstream(upstream);
    this.#seed = seed;
    this.#faults = new Faults(randomFrom(seed));
    this.#faults.set(faultsSchema.parse(faults));
    this.#conflicts = new Conflicts(randomFrom(seed));
    this.setConflicts(conflicts);
    this.#limits = limitsSchema.parse(limits);
    this.#limiter = new Limiter(this.#limits);
    this.#server = serverOf((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        const message = `the DynamoDB API behind the simulator did not respond: ${String(error)}`;
        if (response.headersSent) response.destroy();
        else answerWith(response, exceptionAnswer('ServiceUnavailable', message));
      });
    });
  }

  get endpoint(): string {
    return urlOf(this.#server);
  }

  /** Replaces the limits and refills all token buckets. @throws ZodError for invalid limits */
  setLimits(limits: LimitsInput): void {
    this.#limits = limitsSchema.parse(limits);
    this.#limiter = new Limiter(this.#limits);
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** Replaces the current faults. @throws ZodError for invalid faults */
  setFaults(faults: readonly InjectedFaultInput[]): void {
    this.#faults.set(faultsSchema.parse(faults));
  }

  get faults(): InjectedFaultInput[] {
    return this.#faults.current;
  }

  /** @param hold undefined: transactions never conflict @throws ZodError for an invalid range of milliseconds */
  setConflicts(hold: ConflictsInput | undefined): void {
    this.#conflicts.set(hold && conflictsSchema.parse(hold));
  }

  get conflicts(): ConflictsInput | undefined {
    return this.#conflicts.current;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.#upstream.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    if (request.url?.startsWith('/simulator') === true) {
      handleControl(this, { method: request.method ?? '', url: request.url, text }, response);
      return;
    }
    const operation = operationOf(request);
    this.counters.request(operation);
    const body = JSON.parse(text || '{}') as Document;
    const exchange = { operation, body, request, response };
    try {
      const [headers, upstream, seed] = [request.headers, this.#upstream, this.#seed];
      const asked = { operation, body, headers, upstream, seed, expressions: this.#expressions };
      const refusal = await refusalOf(asked);
      if (refusal !== undefined) answerWith(response, refusal);
      else await this.#answer(exchange, await planRequest(asked));
    } catch (error) {
      if (!(error instanceof UpstreamRefusal)) throw error;
      answerWith(response, error.answer);
    }
  }

  async #answer(exchange: Exchange, plan: Plan): Promise<void> {
    const { operation, request, response } = exchange;
    const charges = plan.parts.flatMap((part) => part.charges);
    const slow = this.#meet(['slow'], operation, charges);
    if (slow !== undefined) await sleep(slow.fault.milliseconds);
    const clock = this.#meet(['clock'], operation, charges);
    const refused = clock && refuseOldSignature(request, response, clock.fault.skewSeconds);
    const whole = this.#meet(wholeFaults, operation, charges);
    if (refused) answerWith(response, refused);
    else if (whole === undefined) answerWith(response, await this.#guarded(exchange, plan));
    else await this.#fail(whole.fault, exchange, plan);
  }

  async #fail(
    fault: Extract<FaultKind, { kind: (typeof wholeFaults)[number] }>,
    exchange: Exchange,
    plan: Plan,
  ): Promise<void> {
    const { response } = exchange;
    if (fault.kind === 'exception') {
      const { name, message = `${name}, injected by the simulator` } = fault;
      answerWith(response, exceptionAnswer(name, message));
      return;
    }
    const isAfter = fault.kind === 'hang' ? fault.after === 'write' : fault.when === 'after';
    if (isAfter) await this.#guarded(exchange, plan);
    if (fault.kind === 'reset') response.socket?.resetAndDestroy();
    else if (fault.after === 'head') response.writeHead(200).flushHeaders();
  }

  #guarded(
    { operation, body, request: { headers } }: Exchange,
    plan: Plan,
  ): Promise<DynamoDbResponse> {
    const asked = { operation, body, headers, upstream: this.#upstream };
    return this.#conflicts.guard(
      asked,
      () => this.#limited(operation, plan),
      () => this.counters.fault('conflict'),
    );
  }

  /** Sends the parts that the limits admit, and answers for the throttled parts as DynamoDB does. */
  async #limited(operation: string, plan: Plan): Promise<DynamoDbResponse> {
    const held = new Map<RequestPart, Throttle | 'unprocessed'>();
    for (const part of plan.parts) {
      const why = this.#heldBack(operation, part);
      if (why !== undefined) held.set(part, why);
    }
    const throttle = [...held.values()].find((why) => why !== 'unprocessed');
    if (throttle !== undefined && held.size === plan.parts.length) {
      if (plan.actions === undefined) return throttlingAnswer(throttle, this.#limits.billing);
      const isThrottled = (charges: readonly Charge[]) =>
        charges.some((charge) => charge === throttle.charge);
      return throttledTransaction(
        plan.actions.map((charges) => (isThrottled(charges) ? throttle : undefined)),
      );
    }
    const admitted = plan.parts.filter((part) => !held.has(part));
    const sent = await plan.send(admitted);
    this.#limiter.take(sent.more, performance.now());
    this.counters.consumed([...admitted.flatMap(({ charges }) => charges), ...sent.more]);
    return sent;
  }

  #heldBack(operation: string, { charges }: RequestPart): Throttle | 'unprocessed' | undefined {
    const isBatch = operation.startsWith('Batch');
    if (isBatch && this.#meet(['unprocessed'], operation, charges)) return 'unprocessed';
    const met = this.#meet(['throttle'], operation, charges);
    const throttle =
      met?.charge === undefined
        ? this.#limiter.admit(charges, performance.now())
        : { charge: met.charge, type: met.fault.type, exception: met.fault.exception };
    if (throttle !== undefined) this.counters.throttled(throttle);
    return throttle;
  }

  #meet<Kind extends FaultKind['kind']>(
    kinds: readonly Kind[],
    operation: string,
    charges: readonly Charge[],
  ): MatchedFault<Kind> | undefined {
    const met = this.#faults.meet(kinds, operation, charges);
    if (met !== undefined) this.counters.fault(met.fault.kind);
    return met;
  }
}

function answerWith(response: ServerResponse, { status, body }: DynamoDbResponse): void {
  sendText(response, { status, text: JSON.stringify(body) });
}
