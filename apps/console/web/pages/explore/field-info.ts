import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { sourceKey } from './explore-state.ts';
import type { query } from '@engawa/client';
import type { Source } from './explore-state.ts';

/** A numeric field of the chosen sources. */
export interface FieldInfo {
  name: string;
  unit: string | undefined;
  /** A counter only grows: what was used in a time is its increase. */
  isCounter: boolean;
}

/** The fields of the chosen sources. */
export interface SourceFields {
  /** Sorted by name. */
  fields: readonly FieldInfo[];
  /** Sorted: names of fields with other values: texts, true, false. */
  otherFields: readonly string[];
  /** Names of sources, by their keys. */
  names: ReadonlyMap<string, string>;
  /** Names of devices, by their ids. */
  deviceNames: ReadonlyMap<string, string>;
}

type DeviceFields = query.GetPlaceFieldsOutput['items'][number];

const pageLimit = 100;

/** Where the last day has no reading, a month is searched: it costs more. */
const searchedFrom = ['now-24h', 'now-31d'] as const;

/** The fields of all sources. @throws ProblemError, TypeError as of a request */
export async function loadFields(
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<SourceFields> {
  const names = new Map<string, string>();
  const deviceNames = new Map<string, string>();
  const fields = new Map<string, FieldInfo>();
  const others = new Set<string>();
  await Promise.all(
    sources.map(async (source) => {
      const [name, devices] = await Promise.all([
        nameOf(source, signal),
        fieldsOfSource(source, signal),
      ]);
      names.set(sourceKey(source), name ?? devices[0]?.device.name ?? sourceKey(source));
      for (const { device, fields: reported } of devices) {
        deviceNames.set(device.id, device.name);
        for (const field of reported) {
          if (field.kind === 'number') fields.set(field.name, infoOf(field));
          else if (field.kind !== 'null') others.add(field.name);
        }
      }
    }),
  );
  const sorted = [...fields.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const otherFields = [...others].filter((name) => !fields.has(name)).sort();
  return { fields: sorted, otherFields, names, deviceNames };
}

function infoOf({ name, unit }: DeviceFields['fields'][number]): FieldInfo {
  return { name, unit, isCounter: isCounter(name, unit) };
}

/** Energy in kWh; devices of brands have fields such as `energy` or `switch:0.energy`. */
function isCounter(name: string, unit: string | undefined): boolean {
  return unit === 'kWh' || (unit === undefined && /(^|\.)energy/i.test(name));
}

async function fieldsOfSource(source: Source, signal: AbortSignal): Promise<DeviceFields[]> {
  for (const from of searchedFrom) {
    const devices = await fieldsSince(source, from, signal);
    if (devices.some(({ fields }) => fields.length > 0)) return devices;
    if (from === searchedFrom[1]) return devices;
  }
  return [];
}

async function fieldsSince(
  source: Source,
  from: string,
  signal: AbortSignal,
): Promise<DeviceFields[]> {
  if (source.kind === 'device') {
    const { body } = await api.query.getFields({ id: source.id, from }, { signal });
    return [body];
  }
  if (source.kind === 'room') {
    const { place, room } = source;
    return allPages((cursor) =>
      api.query.getRoomFields({ place, room, from, limit: pageLimit, cursor }, { signal }),
    );
  }
  return allPages((cursor) =>
    api.query.getPlaceFields({ id: source.id, from, limit: pageLimit, cursor }, { signal }),
  );
}

async function nameOf(source: Source, signal: AbortSignal): Promise<string | undefined> {
  if (source.kind === 'device') return undefined; // in the response with its fields
  if (source.kind === 'place') {
    const { body } = await api.registry.getPlace({ id: source.id, limit: 1 }, { signal });
    return body.name;
  }
  const { place, room } = source;
  const [inPlace, found] = await Promise.all([
    api.registry.getPlace({ id: place, limit: 1 }, { signal }),
    api.registry.getRoom({ place, room, limit: 1 }, { signal }),
  ]);
  return `${inPlace.body.name} · ${found.body.name}`;
}
