import type { ProblemCode } from '@engawa/errors';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { RequestBudget } from './request-budget.ts';
import type { Places } from './places.ts';
import type { BodyStream, StreamedBody } from './body-stream.ts';
import type { Scope } from './caller.ts';
import type { SendEvents } from '../events/send-events.ts';
import type { ClientWork } from '../work/client-work.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The success responses of a route by status. A response without `schema` has no body. */
export type DeclaredResponses = Record<number, DeclaredResponse>;

interface DeclaredResponse {
  description: string;
  schema?: z.ZodType;
  /** Instead of `schema`: an event of a response of Server-Sent Events. */
  events?: z.ZodType;
}

/**
 * What a handler may return where the response on the wire is `T`: `T`, or a value that JSON
 * serializes as `T` (a Date as its ISO 8601 string, an exact decimal as a number).
 */
export type Sendable<T> =
  (T extends object ? { [Key in keyof T]: Sendable<T[Key]> } : T) | { toJSON(): unknown };

type BodyOf<Given> = Given extends { schema: infer Schema extends z.ZodType }
  ? { body: Sendable<z.output<Schema>> }
  : Given extends { events: z.ZodType }
    ? { body?: undefined; events: SendEvents }
    : { body?: undefined };

export type ResponseOf<Given extends DeclaredResponses> = {
  [Status in keyof Given & number]: {
    status: Status;
    headers?: Record<string, string>;
  } & BodyOf<Given[Status]>;
}[keyof Given & number];

/** The argument of a handler: the validated input, and the state of this request. */
export interface Call<Params, Query, Headers, Body> {
  params: z.output<Params>;
  query: z.output<Query>;
  headers: z.output<Headers>;
  body: z.output<Body>;
  /** Whether the body has the media type `application/merge-patch+json` (RFC 7396). */
  isMergePatch: boolean;
  /** The body of a route with `streamed`; empty for other routes. */
  stream: BodyStream;
  /** Aborts when the client disconnects before the response is complete, or the request exceeds its hard timeout. */
  signal: AbortSignal;
  /** Budget of this page; a route with `rows` renews it for each further page. */
  budget: RequestBudget;
  /** The places that the caller may access: all of them, except in routes with `filtersByPlace`. */
  places: Places;
  /** The subject of the token; undefined without authentication, or where the token has no subject. */
  subject: string | undefined;
  /** The client, as the limits per client count it: the subject of its token, else its address. */
  client: string;
  /** Runs the work for the response, in the share of the client. */
  work: ClientWork;
  /** Whether another process of this installation sent the request (`allowsPeers`). */
  isPeer: boolean;
  /** Logs the request id with each line. */
  log: Logger;
}

/** A column of `text/csv`. */
export interface Column {
  name: string;
  /** The value of the column in a row; null and undefined are empty cells. */
  of(row: Record<string, unknown>): unknown;
}

/** Streams a list row by row as `text/csv` or `application/x-ndjson`: the whole list, not a page. */
export interface RowStream<Params, Query, Headers, Body> {
  /** A row in NDJSON. */
  schema: z.ZodType;
  columns(call: Call<Params, Query, Headers, Body>): readonly Column[] | Promise<readonly Column[]>;
  /** The rows; read with backpressure, and ended when the client disconnects. */
  each(call: Call<Params, Query, Headers, Body>): AsyncIterable<Record<string, unknown>>;
}

export interface RouteDefinition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Headers extends z.ZodObject,
  Body extends z.ZodType,
  Given extends DeclaredResponses,
> {
  method: Method;
  /** A path template such as `/v1/devices/{id}`; `params` has exactly the names in braces. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  params?: Params;
  query?: Query;
  /** Request headers by lower-case names; other headers are ignored. */
  headers?: Headers;
  /** A JSON body, read into memory. Without it and `streamed`, the route reads no body. */
  body?: Body;
  /** Whether numbers in the body keep all digits: a number that a double would round is parsed as a Decimal. */
  exactNumbers?: boolean;
  /** A body that the handler reads as a stream, instead of `body`. */
  streamed?: StreamedBody;
  responses: Given;
  /**
   * Whether a GET supports If-None-Match. Its handler returns the ETag of the item, to which a hash
   * of the body is added, so that the ETag covers everything in the response.
   */
  hasEntityTag?: boolean;
  /** Required scope; by default `read` for GET and `write` for other methods. `none` needs no token. */
  scope?: Scope | 'none';
  /**
   * Whether the handler reads and changes only resources at `call.places`, and treats all others as
   * absent. Callers that are restricted to places are rejected (403) by routes without it.
   */
  filtersByPlace?: boolean;
  /** Whether other processes of this installation may call it without a bearer token, with a token of `PeerTokens`. */
  allowsPeers?: boolean;
  rows?: RowStream<Params, Query, Headers, Body>;
  /** Problem codes of this route, in addition to the codes of every route. */
  problems?: ProblemCode[];
  handle(
    call: Call<Params, Query, Headers, Body>,
  ): ResponseOf<NoInfer<Given>> | Promise<ResponseOf<NoInfer<Given>>>;
}

/** A route with its type parameters erased, as an app stores it. */
export interface Route extends Omit<
  RouteDefinition<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, DeclaredResponses>,
  'handle' | 'rows'
> {
  rows?: RowStream<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType> | undefined;
  handle(call: AnyCall): AnyResponse | Promise<AnyResponse>;
}

export type AnyCall = Call<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType>;

export interface AnyResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sends the events of a response that is a stream of them. */
  events?: SendEvents;
}

export const noParameters = z.strictObject({});
export const noHeaders = z.object({});

/**
 * Declares an endpoint. Messages of its schemas are appended to the path of the field (`query.from must not be after
 * query.to`), so write them as "must …".
 */
export function route<
  const Given extends DeclaredResponses,
  Params extends z.ZodObject = typeof noParameters,
  Query extends z.ZodObject = typeof noParameters,
  Headers extends z.ZodObject = typeof noHeaders,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<Params, Query, Headers, Body, Given>): Route {
  return definition;
}
