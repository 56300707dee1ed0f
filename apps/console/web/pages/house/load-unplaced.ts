import { batch } from '@preact/signals';
import { ProblemError } from '@engawa/client';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { isLearned, learnUnit, unitOf } from './units.ts';
import type { Signal } from '@preact/signals';
import type { query } from '@engawa/client';
import { effectiveTime, newerField } from './model.ts';
import type { DeviceState, FieldState } from './model.ts';

type Latest = query.GetLatestOfManyOutput['items'][number];

/** The most devices of one request for latest readings. */
const devicesPerRequest = 100;
/** Devices send some fields in readings of their own. */
const readings = 5;

/** Loads the values of devices in view that have no place, with their units: a request for all of them. */
export async function loadUnplacedValues(devices: readonly Signal<DeviceState>[]): Promise<void> {
  const wanted = new Map(devices.map((device) => [device.peek().id, device]));
  const ids = [...wanted.keys()];
  for (let first = 0; first < ids.length; first += devicesPerRequest) {
    const chunk = ids.slice(first, first + devicesPerRequest);
    const items = await allPages((cursor) =>
      api.query.getLatestOfMany({ device: chunk, readings, limit: devicesPerRequest, cursor }),
    );
    const valuesOf = new Map(items.map((item) => [item.device.id, newestValues(item)]));
    await learnUnits([...valuesOf].map(([id, fields]) => ({ id, fields: numbersOf(fields) })));
    batch(() => {
      for (const id of chunk) {
        const device = wanted.get(id);
        if (device !== undefined) device.value = withValues(device.peek(), valuesOf.get(id) ?? {});
      }
    });
  }
}

/** The newest value of each field. */
function newestValues({ readings: newestFirst }: Latest): Record<string, FieldState> {
  const fields: Record<string, FieldState> = {};
  for (const { time, fields: values } of newestFirst) {
    for (const [name, value] of Object.entries(values)) fields[name] ??= { value, time };
  }
  return fields;
}

function withValues(state: DeviceState, values: Record<string, FieldState>): DeviceState {
  const fields: Record<string, FieldState> = { ...state.fields };
  const now = Date.now();
  let { heardAt } = state;
  for (const [name, { value, time }] of Object.entries(values)) {
    fields[name] = newerField(fields[name], { value, time, unit: unitOf(name) }, now);
    const at = effectiveTime(time, now);
    if (at > (heardAt ?? '')) heardAt = at;
  }
  return { ...state, fields, heardAt, isLoading: false };
}

/** Names of the fields that may have a unit: a text does not show that numbers with its name have none. */
function numbersOf(fields: Record<string, FieldState>): string[] {
  return Object.keys(fields).filter((name) => typeof fields[name]?.value === 'number');
}

/** Learns the units of these fields, with a request for each device that has a field of unknown unit. */
async function learnUnits(
  devices: readonly { id: string; fields: readonly string[] }[],
): Promise<void> {
  for (const { id, fields } of devices) {
    if (fields.every(isLearned)) continue;
    const loaded = await fieldsOf(id);
    if (loaded === undefined) continue;
    // A field that was not reported within the search has no unit until another device reports it.
    for (const field of fields) if (!isLearned(field)) learnUnit(field, undefined);
    for (const { name, unit, kind } of loaded) if (kind === 'number') learnUnit(name, unit);
  }
}

/** Undefined for a device that was deleted meanwhile: the others have units nevertheless. */
async function fieldsOf(id: string): Promise<query.GetFieldsOutput['fields'] | undefined> {
  try {
    return (await api.query.getFields({ id })).body.fields;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}
