import { batch } from '@preact/signals';
import { repeatWhileActive } from '../../api/while-active.ts';
import { openLiveFeed } from '../../live/live-feed.ts';
import { liveStatus } from '../../live/live-status.ts';
import { withReading } from './model.ts';
import type { Signal } from '@preact/signals';
import type { LiveFeed, LiveReading } from '../../live/live-feed.ts';
import type { DeviceState } from './model.ts';

interface LiveValuesOptions {
  deviceOf: (id: string) => Signal<DeviceState> | undefined;
  /** Loads the values of the subscribed places. */
  reload: () => Promise<void>;
}

/** Milliseconds between requests for values where there is no live feed. */
const pollMs = 5000;
/** Milliseconds after which a subscription follows a change of the view: a scroll passes many places. */
const settleMs = 300;
/** A longer filter does not fit into a URL comfortably; the feed then has all readings. */
const maxFilters = 50;

/** Applies readings of the live feed to devices, at most once per frame. */
export class LiveValues {
  readonly #options: LiveValuesOptions;
  #feed: LiveFeed | undefined;
  #filter: string | undefined;
  #waiting: LiveReading[] = [];
  #stopPoll: (() => void) | undefined;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveValuesOptions) {
    this.#options = options;
  }

  /** Subscribes to the readings of these places and devices. Devices without a place are selected by their ids. */
  subscribe({ places, devices }: { places: readonly string[]; devices: readonly string[] }): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => {
      const filter = [
        ...places.map((place) => `place=${encodeURIComponent(place)}`),
        ...devices.map((device) => `device=${encodeURIComponent(device)}`),
      ];
      // Without anything in view there is nothing to read.
      if (filter.length === 0) return;
      this.#open(filter.length <= maxFilters ? `?${filter.sort().join('&')}` : '');
    }, settleMs);
  }

  close(): void {
    clearTimeout(this.#settleTimer);
    this.#stopPoll?.();
    this.#feed?.close();
    liveStatus.value = 'idle';
  }

  #open(filter: string): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    const lastEventId = this.#feed?.lastEventId();
    this.#feed?.close();
    this.#feed = openLiveFeed({
      query: filter,
      lastEventId,
      onReading: (reading) => this.#receive(reading),
      onLost: () => void this.#options.reload(),
      // Values of a process without a feed (an older version during an update) would stay as they are.
      onProcesses: ({ open, all }) => {
        if (open < all) this.#poll();
        else this.#stopPolling('open');
      },
      onStatus: (status) => {
        if (status === 'unavailable') this.#poll();
        else this.#stopPolling(status);
      },
    });
  }

  #receive(reading: LiveReading): void {
    if (this.#waiting.push(reading) > 1) return;
    requestAnimationFrame(() => {
      const readings = this.#waiting;
      this.#waiting = [];
      batch(() => {
        for (const one of readings) {
          const device = this.#options.deviceOf(one.device);
          if (device !== undefined) device.value = withReading(device.peek(), one);
        }
      });
    });
  }

  #stopPolling(status: 'connecting' | 'open'): void {
    // Values that changed after the last poll and before the feed opened.
    if (this.#stopPoll !== undefined && status === 'open') void this.#options.reload();
    this.#stopPoll?.();
    this.#stopPoll = undefined;
    liveStatus.value = status;
  }

  #poll(): void {
    liveStatus.value = 'polling';
    this.#stopPoll ??= repeatWhileActive(() => void this.#options.reload(), pollMs);
  }
}
