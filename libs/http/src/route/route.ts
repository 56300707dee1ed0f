import type { ProblemCode } from '@engawa/errors';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { RequestBudget } from './request-budget.ts';
import type { Places } from './places.ts';
import type { BodyStream, StreamedBody } from './body-stream.ts';
import type { Scope } from './caller.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The answers that a route gives when all is well, by status. Without `schema` there is no body. */
export type DeclaredResponses = Record<number, { description: string; schema?: z.ZodType }>;

/**
 * What may be returned where the answer on the wire is `T`: `T`, or with anything in it that JSON
 * turns into it (a Date for its ISO text, an exact decimal for a number).
 */
export type Sendable<T> =
  (T extends object ? { [Key in keyof T]: Sendable<T[Key]> } : T) | { toJSON(): unknown };

type BodyOf<Given> = Given extends { schema: infer Schema extends z.ZodType }
  ? { body: Sendable<z.output<Schema>> }
  : { body?: undefined };

export type ResponseOf<Given extends DeclaredResponses> = {
  [Status in keyof Given & number]: {
    status: Status;
    headers?: Record<string, string>;
  } & BodyOf<Given[Status]>;
}[keyof Given & number];

/** What a handler is given: the checked input, and what belongs to this one request. */
export interface Call<Params, Query, Headers, Body> {
  params: z.output<Params>;
  query: z.output<Query>;
  headers: z.output<Headers>;
  body: z.output<Body>;
  /** The body of a route that has `streamed`; of others, nothing. */
  stream: BodyStream;
  /** Aborts when the client hangs up before it has the whole answer, and when the answer is long overdue. */
  signal: AbortSignal;
  /** Of this page of the answer; a route that has `rows` renews it for each further page. */
  budget: RequestBudget;
  /** Where the caller may look: all places, but in routes that have `keepsToPlaces`. */
  places: Places;
  /** The subject of the token; undefined where tokens are not checked or this one has no subject. */
  subject: string | undefined;
  /** Whether another process of this installation asks (`admitsPeers`). */
  isPeer: boolean;
  /** Carries the request id. */
  log: Logger;
}

/** A column of `text/csv`. */
export interface Column {
  name: string;
  /** What stands in it for a row; nothing for null and undefined. */
  of(row: Record<string, unknown>): unknown;
}

/** The answer of a list row by row, where the client accepts `text/csv` or `application/x-ndjson`: all of it, not a page. */
export interface RowStream<Params, Query, Headers, Body> {
  /** A row, as NDJSON has it. */
  schema: z.ZodType;
  columns(call: Call<Params, Query, Headers, Body>): readonly Column[] | Promise<readonly Column[]>;
  /** Read no faster than the client takes it; ends when the client hangs up. */
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
  /** A template such as `/v1/devices/{id}`; `params` has exactly the names in braces. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  params?: Params;
  query?: Query;
  /** Of the request, by names in lower case; what is not named here is ignored. */
  headers?: Headers;
  /** A JSON body, read whole. Without it, and without `streamed`, the route reads no body. */
  body?: Body;
  /** Whether the numbers in the body keep every digit: what a double would round comes as a Decimal. */
  exactNumbers?: boolean;
  /** A body that the handler reads piece by piece, in place of `body`. */
  streamed?: StreamedBody;
  responses: Given;
  /**
   * Whether a GET can be asked again with If-None-Match. Its handler gives the ETag of the item; a hash of the body is added
   * to it, so that it stands for everything that the answer shows.
   */
  hasEntityTag?: boolean;
  /** By default `read` for GET and `write` for the others; `none` is open to everybody. */
  scope?: Scope | 'none';
  /**
   * Whether the handler shows and changes only what is at one of `call.places`, and is silent of all else as if it were not
   * there. Other routes are closed to callers who are restricted to places.
   */
  filtersByPlace?: boolean;
  /** Whether other processes of this installation may ask without a token: they show a `PeerPass`. */
  allowsPeers?: boolean;
  rows?: RowStream<Params, Query, Headers, Body>;
  /** Problems of this route's own; those that any route may give need not be named. */
  problems?: ProblemCode[];
  handle(
    call: Call<Params, Query, Headers, Body>,
  ): ResponseOf<NoInfer<Given>> | Promise<ResponseOf<NoInfer<Given>>>;
}

/** A route of any types, as the app keeps it. */
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
}

export const noParameters = z.strictObject({});
export const noHeaders = z.object({});

/**
 * One endpoint as one value. Messages of its schemas are read behind the place they are about
 * (`query.from must not be after query.to`), so write them as "must …".
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
