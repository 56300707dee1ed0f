/**
 * The registry as it should be: what a sequence of answered requests makes of it, without purge
 * jobs that take time.
 */
export class RegistryModel {
  readonly places = new Map<string, ModelPlace>();
  readonly devices = new Map<string, ModelDevice>();
  /** Paths of deleted resources: a path may be refused until its purge job has ended. */
  readonly deleted = new Set<string>();

  deletePlace(place: string): void {
    this.places.delete(place);
    for (const device of this.devices.values()) {
      if (device.place === place) device.place = device.room = undefined;
    }
  }

  deleteRoom(place: string, room: string): void {
    this.places.get(place)?.rooms.delete(room);
    for (const device of this.devices.values()) {
      if (device.place === place && device.room === room) device.room = undefined;
    }
  }
}

export type ModelLabels = Readonly<Record<string, string>>;

export interface ModelRoom {
  name: string;
  labels: ModelLabels;
}

export interface ModelPlace extends ModelRoom {
  /** By id. */
  rooms: Map<string, ModelRoom>;
}

export interface ModelDevice {
  name: string;
  labels: ModelLabels;
  status: string;
  place: string | undefined;
  room: string | undefined;
  /** Times of its readings, as sort keys of their blocks. */
  blocks: Set<string>;
  /** Whether each was undone, by id. */
  corrections: Map<string, boolean>;
}

/** A merge patch. */
export function patched(
  labels: ModelLabels,
  patch: Readonly<Record<string, string | null>>,
): ModelLabels {
  const merged = Object.entries({ ...labels, ...patch });
  return Object.fromEntries(
    merged.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}
