import { monotonicClock, wallClock } from './current-world.ts';

const RealDate = Date;

/** `Date` with the virtual current time. */
export const VirtualDate = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [wallClock()] : given, newTarget) as Date,
  apply: () => new RealDate(wallClock()).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? wallClock : (Reflect.get(target, name, receiver) as unknown),
});

const nanosecondsPerMs = 1e6;

/** Replaces `process.hrtime`. */
export const virtualHrtime = Object.assign(
  ([seconds, nanoseconds]: [number, number] = [0, 0]): [number, number] => {
    const passed = monotonicClock() * nanosecondsPerMs - seconds * 1e9 - nanoseconds;
    return [Math.floor(passed / 1e9), Math.floor(passed % 1e9)];
  },
  { bigint: () => BigInt(Math.floor(monotonicClock() * nanosecondsPerMs)) },
);
