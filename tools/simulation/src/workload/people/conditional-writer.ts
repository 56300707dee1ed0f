import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../../world/violation.ts';
import { describe, isFinal } from '../../world/gateway.ts';
import type { Random } from '../../kernel/index.ts';
import type { GatewayRequest } from '../../world/gateway.ts';
import type { HttpResponse } from '../../world/http-client.ts';
import type { ServiceName } from '../../world/load-services.ts';
import type { ActorContext } from '../actor.ts';
import type { Content, Resource } from './resource.ts';

/** The result of a request that was retried until it got a response. */
export interface Settled {
  answer: HttpResponse;
  /** Whether the first attempt got the response, so that no attempt has an unknown result. */
  isFirst: boolean;
}

export interface Change {
  method: 'PUT' | 'PATCH';
  body: unknown;
  /** The content after the change. */
  content: Content;
  /** Whether the write has If-Match. Otherwise it may take effect long after its timeout. */
  isConditional: boolean;
}

/** Milliseconds between two attempts. */
const retryMs = 500;
/** Maximum milliseconds until a service has to respond. */
const timeoutMs = 600_000;
/** Maximum characters of a body in the story. */
const maxShownLength = 300;
/** Acts without writes of a resource after an unconditional write that may still take effect. */
const restActs = 2;
/** Maximum wait for the end of a purge job, in milliseconds. */
const erasureMs = 8000;

/**
 * Writes resources of one owner so that their state is known afterwards. Without a response, a write
 * may have taken effect, or may later. With If-Match, the next write with a response decides, since
 * only one write can follow a version.
 */
export class ConditionalWriter {
  readonly #context: ActorContext;
  /** Number of the actor's current act. */
  act = 0;

  constructor(context: ActorContext) {
    this.#context = context;
  }

  /** Whether the results of all requests for the resource are known. */
  isSettled(thing: Resource): boolean {
    return thing.restsUntil <= this.act;
  }

  /** @returns false while a former resource of the id is being purged */
  async create(thing: Resource, described: Content): Promise<boolean> {
    const { world, gateway } = this.#context;
    const end = world.now() + erasureMs;
    const content = thing.unconfirmedCreation ?? described;
    const headers = { 'if-none-match': '*' };
    const request = { method: 'PUT', path: thing.path, body: content, headers };
    for (;;) {
      const { answer, isFirst } = await this.send(request);
      if (!isFirst) {
        this.rest(thing);
        thing.unconfirmedCreation = content;
      }
      if (isProblem(answer, 409, 'being-deleted')) {
        if (world.now() > end) return false;
        await gateway.sleep(retryMs);
        continue;
      }
      const isKnown = thing.unconfirmedCreation !== undefined;
      if (answer.status === 201) thing.adopt(answer, content, 1);
      else if (answer.status === 412 && isKnown) await this.#readAs(thing, content, 1);
      else throw new Violation(`the creation of ${thing.path} was rejected: ${describe(answer)}`);
      return true;
    }
  }

  async change(thing: Resource, { method, body, content, isConditional }: Change): Promise<void> {
    const { incarnation } = thing;
    if (incarnation === undefined) throw new Error(`${thing.path} does not exist`);
    const headers: Record<string, string> = isConditional ? { 'if-match': incarnation.etag } : {};
    const { answer, isFirst } = await this.send({ method, path: thing.path, body, headers });
    const version = incarnation.version + 1;
    if (answer.status === 200) {
      // Without If-Match, a service writes twice if the table's response was lost.
      thing.adopt(answer, content, isConditional ? version : undefined);
    } else if (isConditional && answer.status === 412 && !isFirst) {
      await this.#readAs(thing, content, version);
    } else throw new Violation(`${method} ${thing.path}: ${describe(answer)}`);
    if (isConditional || isFirst) return;
    this.rest(thing);
    thing.isVersionUnknown = true;
  }

  /** Deletes with If-Match, so that a delayed deletion does not delete a recreated resource. */
  async remove(thing: Resource): Promise<void> {
    const headers = { 'if-match': thing.incarnation?.etag ?? '*' };
    const { answer, isFirst } = await this.send({ method: 'DELETE', path: thing.path, headers });
    const isGone = answer.status === 204 || (answer.status === 404 && !isFirst);
    if (!isGone) throw new Violation(`DELETE ${thing.path}: ${describe(answer)}`);
    thing.begin(undefined);
  }

  /** Sends two concurrent changes of one version: exactly one must succeed. */
  async race(thing: Resource, changes: readonly [Change, Change]): Promise<void> {
    const { incarnation } = thing;
    if (incarnation === undefined) throw new Error(`${thing.path} does not exist`);
    const headers = { 'if-match': incarnation.etag };
    const requests = changes.map(({ method, body }) => ({
      ...{ method, path: thing.path, body, headers },
    }));
    const settled = await Promise.all(requests.map((request) => this.send(request)));
    const won = settled.filter(({ answer }) => answer.status === 200);
    const texts = settled.map(({ answer }) => describe(answer)).join(' and ');
    for (const { answer } of settled) {
      if (answer.status === 200 || answer.status === 412) continue;
      throw new Violation(`concurrent writes of ${thing.path}: ${texts}`);
    }
    if (won.length > 1)
      throw new Violation(
        `both concurrent writes of one version succeeded: ${thing.path} ${texts}`,
      );
    if (won.length === 0 && settled.every(({ isFirst }) => isFirst)) {
      throw new Violation(`no concurrent write of one version succeeded: ${thing.path} ${texts}`);
    }
    const found = await this.read(thing);
    const winner = settled.findIndex(({ answer }) => answer.status === 200);
    const shown = thing.shownIn(found).content;
    const match = changes.findIndex(({ content }) => isDeepStrictEqual(content, shown));
    const { content } = changes[winner === -1 ? match : winner] ?? changes[0];
    thing.adopt(found, content, incarnation.version + 1);
  }

  /** Sends a request with the ETag of a former state: the request must be rejected. */
  async useFormerTag(thing: Resource, body: unknown, random: Random): Promise<void> {
    const headers = { 'if-match': random.pick(thing.formerEtags) };
    const method = random.pick(['PUT', 'PATCH', 'DELETE']);
    const write = { method, path: thing.path, headers, ...(method !== 'DELETE' && { body }) };
    const { answer } = await this.send(write);
    const isRefused = answer.status === (thing.incarnation === undefined ? 404 : 412);
    if (isRefused) return;
    const tag = headers['if-match'];
    throw new Violation(`${method} ${thing.path} with the former ETag ${tag}: ${describe(answer)}`);
  }

  read(thing: Resource): Promise<HttpResponse> {
    return this.#context.gateway.insist('registry', { path: thing.path });
  }

  /** Reads a resource. @throws Violation if it differs from the expected state */
  async check(thing: Resource): Promise<void> {
    const answer = await this.read(thing);
    const { incarnation } = thing;
    if (incarnation === undefined) {
      if (answer.status === 200 && thing.unconfirmedCreation !== undefined) {
        thing.adopt(answer, thing.unconfirmedCreation, 1);
      } else if (answer.status !== 404)
        throw new Violation(`${thing.path} exists although it was deleted: ${answer.text}`);
    } else
      thing.adopt(
        answer,
        incarnation.content,
        thing.isVersionUnknown ? undefined : incarnation.version,
      );
  }

  rest(thing: Resource): void {
    thing.restsUntil = this.act + restActs;
  }

  /** Retries a request until its response is final. */
  async send(request: GatewayRequest, service: ServiceName = 'registry'): Promise<Settled> {
    const { world, gateway, narrate } = this.#context;
    const { method = 'GET', path, body, headers } = request;
    const given = [body, headers].filter((part) => part !== undefined);
    const said = given
      .map((part) => JSON.stringify(part))
      .join(' ')
      .slice(0, maxShownLength);
    const end = world.now() + timeoutMs;
    for (let isFirst = true; ; isFirst = false) {
      const answer = await gateway.ask(service, request);
      narrate(`${method} ${path} ${said}: ${answer.status ?? answer.reason}`);
      if (isFinal(answer)) return { answer, isFirst };
      if (world.now() > end) throw new Violation(`${request.path}: ${describe(answer)}`);
      await gateway.sleep(retryMs);
    }
  }

  async #readAs(thing: Resource, content: Content, version: number): Promise<void> {
    thing.adopt(await this.read(thing), content, version);
  }
}

export function isProblem({ status, text }: HttpResponse, wanted: number, code: string): boolean {
  return status === wanted && text.includes(`/problems/${code}`);
}
