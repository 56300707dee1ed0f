import { now, owners, secretName } from './homes.ts';
import type { OpenApiDocument } from '@engawa/http';
import type { Services } from '../services.ts';
import type { Owner } from './homes.ts';

export type ServiceName = keyof Services['urls'];

export interface Request {
  service: ServiceName;
  operationId: string;
  method: string;
  /** With a query string. */
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The owners of the things in path and body. */
  about: Owner[];
  /** The required scope; undefined when none is required. */
  scope: string | undefined;
}

/** Here `fields` selects attributes of entities; by default all are returned. */
const ofEntities = /^\/v1\/(entities|search|rankings)\b/;

/** Things that a request names, by path parameter. */
const names: Record<string, string> = {
  place: 'home',
  room: 'hall',
  device: 'meter',
  correction: 'spike',
  type: 'type',
  otherType: 'type',
  name: 'search',
};

const from = String(now - 24 * 3_600_000);
const to = String(now);

/** Further query parameters by operation. */
const queries: Record<string, Record<string, string>[]> = {
  listDevices: [
    { order: 'lastSeen' },
    { order: '-lastSeen' },
    { silentFor: 'PT1M' },
    { namePrefix: 's' },
    { place: 'own-home' },
    { place: 'their-home' },
    { place: 'their-home', room: 'their-hall', order: '-lastSeen' },
    { place: 'their-home', silentFor: 'PT1M' },
    { label: `name=${secretName}` },
    { label: 'name', order: 'lastSeen', limit: '1' },
    { status: 'active', kind: 'climate' },
  ],
  listPlaces: [{ namePrefix: 's' }, { label: 'name' }],
  listRooms: [{ namePrefix: 's' }, { label: `name=${secretName}` }],
  getTableItems: [
    { pk: 'PLACE#their-home' },
    { pk: 'DEVICE#their-meter', limit: '5' },
    { index: 'gsi1', pk: 'LIST#PLACE#0' },
  ],
  getHotPartitions: [{ limit: '100' }],
  getMergedHotPartitions: [{ limit: '100' }],
  getHotPartitionHistory: [{ resolution: 'second' }, { resolution: 'minute', limit: '1' }],
  getMergedHotPartitionHistory: [{ resolution: 'minute' }],
};

/** The bodies of operations that restricted callers may use, for each owner. */
const bodies: Record<string, (owner: Owner) => unknown> = {
  putDevice: () => ({ name: 'changed' }),
  renameDevice: () => ({ name: 'changed', labels: { name: null } }),
  placeDevice: () => ({}),
  putPlace: () => ({ name: 'changed' }),
  renamePlace: () => ({ name: 'changed', metadata: { name: null } }),
  putRoom: () => ({ name: 'changed' }),
  putCorrection: () => ({
    ...{ operation: 'ignore', from: now - 7_200_000, to: now - 3_600_000, why: 'changed' },
  }),
  renameRoom: () => ({ labels: { name: 'changed' } }),
  createPlaces: (owner) => [{ id: `${owner}-home`, name: 'changed' }],
};

/** All requests to a service, for existing and missing things, in every media type. */
export async function requestsOf(service: ServiceName, url: string): Promise<Request[]> {
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(contract.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId, security, responses } = operation;
      const scope = security?.[0]?.['bearer']?.[0];
      const asked = { service, operationId, method: method.toUpperCase(), scope };
      const forms = Object.keys(responses['200']?.content ?? { 'application/json': {} });
      return variants(template, operation).flatMap(({ path, about }) =>
        forms.flatMap((accept) =>
          headersOf(operationId, method, about).map((headers): Request => ({
            ...asked,
            path,
            about,
            headers: { accept, ...headers },
            ...(method !== 'get' && { body: bodies[operationId]?.(about[0] ?? 'own') ?? {} }),
          })),
        ),
      );
    }),
  );
}

type Operation = OpenApiDocument['paths'][string][string];

/** The path and query of every combination of owners. */
function variants(template: string, operation: Operation): { path: string; about: Owner[] }[] {
  const { operationId, parameters } = operation;
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isNamed =
    inPath.length === 0 && (operationId in bodies || operationId === 'getLatestOfMany');
  const assignments = combinations(isNamed ? 1 : inPath.length);
  return assignments.flatMap((about) => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const owner = about[inPath.indexOf(name)] ?? 'own';
      const thing = names[name] ?? (template.startsWith('/v1/places') ? 'home' : 'meter');
      return `${owner}-${thing}`;
    });
    const has = (name: string) => parameters.some((each) => each['name'] === name);
    const usual: Record<string, string> = {
      ...(has('from') && { from }),
      ...(has('to') && { to }),
      ...(has('fn') && { fn: 'max,increase', fields: 'temperature,count' }),
      ...(has('fields') && !ofEntities.test(template) && { fields: 'temperature,count' }),
      ...(operationId === 'getLatestOfMany' && { device: `${about[0] ?? 'own'}-meter` }),
    };
    const ways = [{}, ...(has('limit') ? [{ limit: '1' }] : []), ...(queries[operationId] ?? [])];
    return ways.map((way) => {
      const search = new URLSearchParams({ ...usual, ...way }).toString();
      return { path: search === '' ? path : `${path}?${search}`, about };
    });
  });
}

function combinations(length: number): Owner[][] {
  if (length === 0) return [[]];
  return combinations(length - 1).flatMap((some) => owners.map((owner) => [...some, owner]));
}

/** The caller's own things must not change during the test, so writes to them have an ETag that never matches. */
function headersOf(
  operationId: string,
  method: string,
  about: readonly Owner[],
): Record<string, string>[] {
  const json = { 'content-type': 'application/json' };
  if (method === 'get') return [{}];
  const outdated = { ...json, 'if-match': '"999"' };
  // A room of the caller's home and a correction of its meter are the caller's, under any id.
  const isOwn = ['putRoom', 'putCorrection'].includes(operationId) && about[0] === 'own';
  return isOwn || about.every((owner) => owner === 'own') ? [outdated] : [json, outdated];
}

/** The same request for another thing. */
export function renamed(request: Request, from: string, to: string): Request {
  const replaced = (text: string) => text.replaceAll(from, to);
  const { path, body } = request;
  return {
    ...request,
    path: replaced(path),
    ...(body !== undefined && { body: JSON.parse(replaced(JSON.stringify(body))) as unknown }),
  };
}
