import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { hourMs, silentAfterMs } from './model.ts';
import type { ListedDevice } from './device-index.ts';

/** The most devices of one request for latest readings. */
const devicesPerRequest = 100;

interface LastReading {
  /** `lastSeenAt` of the list at the time of the request. */
  listedAt: string;
  /** Epoch milliseconds. */
  heardAt: number;
}

interface Heard {
  /** Epoch milliseconds. */
  at: number;
  /** Whether the device has certainly sent nothing since. */
  isExact: boolean;
}

/**
 * Which devices are silent. The list has `lastSeenAt` accurate to an hour: the device may have sent more within the
 * hour after it, and a message after that hour would have updated it. So the last reading of a device is requested once
 * per silence, when `lastSeenAt` alone no longer excludes the silence.
 */
export class Silence {
  readonly #lastReadings = new Map<string, LastReading>();

  /** @param shownAt when the page last saw a value of the device, ISO 8601 @param now epoch milliseconds */
  isSilent(device: ListedDevice, shownAt: string | undefined, now: number): boolean {
    const heard = this.#heard(device, shownAt, now);
    return heard.isExact && now - heard.at > silentAfterMs(device.kind);
  }

  /** Requests the last readings of devices that may be silent. @throws ProblemError, TypeError as of a request */
  async resolve(
    devices: readonly ListedDevice[],
    shownAt: (id: string) => string | undefined,
    now: number,
  ): Promise<void> {
    const unknown = devices.filter((device) => {
      const heard = this.#heard(device, shownAt(device.id), now);
      return !heard.isExact && now - heard.at > silentAfterMs(device.kind);
    });
    for (let first = 0; first < unknown.length; first += devicesPerRequest) {
      await this.#request(unknown.slice(first, first + devicesPerRequest));
    }
  }

  async #request(devices: readonly ListedDevice[]): Promise<void> {
    const device = devices.map(({ id }) => id);
    const items = await allPages((cursor) =>
      api.query.getLatestOfMany({ device, readings: 1, limit: devicesPerRequest, cursor }),
    );
    const times = new Map(items.map((item) => [item.device.id, item.readings[0]?.time]));
    for (const { id, lastSeenAt: listedAt = '' } of devices) {
      const [listed, read] = [Date.parse(listedAt), Date.parse(times.get(id) ?? listedAt)];
      // A device whose clock is ahead has readings of the future.
      const heardAt = Math.min(Math.max(listed, read), listed + hourMs);
      this.#lastReadings.set(id, { listedAt, heardAt });
    }
  }

  #heard(device: ListedDevice, shownAt: string | undefined, now: number): Heard {
    const { id, kind, lastSeenAt, registeredAt } = device;
    if (lastSeenAt === undefined) return { at: Date.parse(registeredAt), isExact: true };
    const listed = Date.parse(lastSeenAt);
    const known = this.#lastReadings.get(id);
    const isKnown = known?.listedAt === lastSeenAt;
    const at = Math.max(
      listed,
      isKnown ? known.heardAt : 0,
      shownAt === undefined ? 0 : Math.min(Date.parse(shownAt), now),
    );
    return { at, isExact: isKnown || now - listed > silentAfterMs(kind) + hourMs };
  }
}
