import { matchesLabels, selectorText } from '../annotations/label-selector.ts';
import type { Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { LabelSelector } from '../annotations/label-selector.ts';

/** A filter of devices; an absent property matches all. */
export interface DeviceFilter {
  status?: Device['status'] | undefined;
  kind?: Device['kind'] | undefined;
  place?: string | undefined;
  /** A room of `place`. */
  room?: string | undefined;
  label?: readonly LabelSelector[] | undefined;
}

/** Whether a device matches, by the attributes that the list by name has. */
export function matchesListed(
  { status, kind, label = [] }: DeviceFilter,
  device: Pick<Device, 'status' | 'kind' | 'labels'>,
): boolean {
  const isAsked = (status ?? device.status) === device.status;
  return isAsked && (kind ?? device.kind) === device.kind && matchesLabels(label, device);
}

export function matchesDevice(filter: DeviceFilter, device: Device): boolean {
  const { place, room } = filter;
  const isAtLocation =
    (place ?? device.place) === device.place && (room ?? device.room) === device.room;
  return isAtLocation && matchesListed(filter, device);
}

/** Whether the filter excludes any device. */
export function isFilter({ status, kind, place, label = [] }: DeviceFilter): boolean {
  return [status, kind, place].some((value) => value !== undefined) || label.length > 0;
}

/** Equal for equal filters. Empty without a filter, so that cursors of releases without filters stay valid. */
export function filterQuestion(filter: DeviceFilter): Record<string, unknown> {
  if (!isFilter(filter)) return {};
  const { status, kind, place, room, label = [] } = filter;
  return { filter: { status, kind, place, room, label: selectorText(label) } };
}

/** The devices of a list that are returned. */
export interface Selection {
  filter: DeviceFilter;
  /** Only devices at places that the client may see. */
  places: Places;
}

export function isSelected({ filter, places }: Selection, device: Device): boolean {
  return places.allows(device.place) && matchesDevice(filter, device);
}

/** Whether all devices are selected. */
export function selectsAll({ filter, places }: Selection): boolean {
  return !places.isRestricted && !isFilter(filter);
}

/** Whether no device can be selected: the filter names a place that the client may not see. */
export function selectsNone({ filter, places }: Selection): boolean {
  return filter.place !== undefined && !places.allows(filter.place);
}
