import { matchesLabels, selectorText } from '../annotations/label-selector.ts';
import type { Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { LabelSelector } from '../annotations/label-selector.ts';

/** Conditions on a device; an absent one always holds. */
export interface DeviceFilter {
  status?: Device['status'] | undefined;
  kind?: Device['kind'] | undefined;
  place?: string | undefined;
  /** Of the place. */
  room?: string | undefined;
  label?: readonly LabelSelector[] | undefined;
}

/** By what the list by name knows of a device. */
export function matchesListed(
  { status, kind, label = [] }: DeviceFilter,
  device: Pick<Device, 'status' | 'kind' | 'labels'>,
): boolean {
  const isAsked = (status ?? device.status) === device.status;
  return isAsked && (kind ?? device.kind) === device.kind && matchesLabels(label, device);
}

export function matchesDevice(filter: DeviceFilter, device: Device): boolean {
  const { place, room } = filter;
  const isThere = (place ?? device.place) === device.place && (room ?? device.room) === device.room;
  return isThere && matchesListed(filter, device);
}

/** Whether it excludes anything. */
export function isFilter({ status, kind, place, label = [] }: DeviceFilter): boolean {
  return [status, kind, place].some((value) => value !== undefined) || label.length > 0;
}

/** Equal for equal filters; empty without one, so that cursors from before filters existed stay valid. */
export function filterQuestion(filter: DeviceFilter): Record<string, unknown> {
  if (!isFilter(filter)) return {};
  const { status, kind, place, room, label = [] } = filter;
  return { filter: { status, kind, place, room, label: selectorText(label) } };
}

/** Which devices of a list are given. */
export interface Selection {
  filter: DeviceFilter;
  /** Only those that are where the caller may look. */
  places: Places;
}

export function isSelected({ filter, places }: Selection, device: Device): boolean {
  return places.allows(device.place) && matchesDevice(filter, device);
}

/** Whether every device is. */
export function selectsAll({ filter, places }: Selection): boolean {
  return !places.isRestricted && !isFilter(filter);
}

/** Whether none can be: the filter names a place where the caller may not look. */
export function selectsNone({ filter, places }: Selection): boolean {
  return filter.place !== undefined && !places.allows(filter.place);
}
