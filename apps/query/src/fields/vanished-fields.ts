import { effectiveTime } from '@engawa/model';
import type { Fields, FieldValue, Reading } from '@engawa/model';

/** The last value of a field, and the reading that has it. */
export interface FoundField {
  name: string;
  value: FieldValue;
  reading: Reading;
}

/**
 * The fields without those whose list or map has lost them: values older than the null that an empty list or map is
 * stored as, that null if values came later, and elements of a list that has become shorter.
 *
 * Only a whole list shows that an element is gone: its reading has the first element too. Values of components that
 * are reported one by one (`loadpoints.0.power`, `loadpoints.1.power`) have no such reading, and stay.
 */
export function withoutVanished(found: ReadonlyMap<string, FoundField>): FoundField[] {
  const newestIn = newestTimes(found);
  return [...found.values()].filter(({ name, value, reading }) => {
    const time = effectiveTime(reading);
    if (value === null && (newestIn.get(name) ?? -Infinity) > time) return false;
    return !containersOf(name).some(
      (container) =>
        isEmptiedAfter(found.get(container), time) ||
        isShortened(
          { container, name, reading: reading.fields },
          newestIn.get(`${container}.0`) ?? -Infinity,
          time,
        ),
    );
  });
}

/** By each container, and by each first element that is a value: the time of the newest value in it. */
function newestTimes(found: ReadonlyMap<string, FoundField>): Map<string, number> {
  const times = new Map<string, number>();
  const add = (name: string, time: number) =>
    times.set(name, Math.max(times.get(name) ?? -Infinity, time));
  for (const { name, reading } of found.values()) {
    const time = effectiveTime(reading);
    for (const container of containersOf(name)) add(container, time);
    if (name.endsWith('.0')) add(name, time);
  }
  return times;
}

/** `a.b.0` is in `a` and in `a.b`. */
export function containersOf(name: string): string[] {
  const containers: string[] = [];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    containers.push(name.slice(0, dot));
  }
  return containers;
}

/** `a.0` for a later element of the list `a`, or a part of one (`a.3.b`); undefined for any other name. */
export function firstElementOf(container: string, name: string): string | undefined {
  const [index = ''] = name.slice(container.length + 1).split('.', 1);
  return /^[1-9]\d*$/.test(index) ? `${container}.0` : undefined;
}

export function isEmptiedAfter(container: FoundField | undefined, time: number): boolean {
  return container?.value === null && effectiveTime(container.reading) > time;
}

interface Element {
  container: string;
  name: string;
  /** All fields of its reading. */
  reading: Fields;
}

/** @param firstAt the time of the newest first element */
function isShortened(
  { container, name, reading }: Element,
  firstAt: number,
  time: number,
): boolean {
  const first = firstElementOf(container, name);
  if (first === undefined || firstAt <= time) return false;
  return Object.keys(reading).some((other) => other === first || other.startsWith(`${first}.`));
}
