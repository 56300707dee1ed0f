import type { ingestion } from '@engawa/client';

export type ListedLetter = ingestion.ListDeadLettersOutput['items'][number];
export type WholeLetter = ingestion.GetDeadLetterOutput;
/** What a dead letter would become if it were replayed now. It remains if any of its readings is refused. */
export type Preview = ingestion.DeadLetterPreview;
export type PreviewedReading = Preview['readings'][number];
export type Reason = ListedLetter['reason'];

/** Dead letters of one device with one reason, newest first. */
export interface DeviceGroup {
  key: string;
  device: string;
  letters: ListedLetter[];
}

export interface ReasonGroup {
  reason: Reason;
  /** Devices with the newest dead letter first. */
  devices: DeviceGroup[];
  count: number;
}

/** The default topics of the decoders (docs/decoders.md), with the levels that name the device. */
const topics: readonly (readonly [pattern: RegExp, device: (match: RegExpExecArray) => string])[] =
  [
    [/^engawa\/([^/]+)\/readings$/, ([, device]) => device ?? ''],
    [/^zigbee2mqtt\/(.+)$/, ([, device]) => device ?? ''],
    [/^tele\/([^/]+)\/(?:SENSOR|STATE)$/, ([, device]) => device ?? ''],
    [/^homeassistant\/([^/]+)\/([^/]+)\/[^/]+$/, ([, domain, entity]) => `${domain}.${entity}`],
    [
      /^spBv1\.0\/([^/]+)\/[^/]+\/([^/]+)(?:\/([^/]+))?$/,
      ([, ...levels]) =>
        levels.filter((level) => (level as string | undefined) !== undefined).join('/'),
    ],
    [/^nature\/([^/]+)\/smart_meter$/, ([, device]) => device ?? ''],
    [/^(.+)\/status(?:\/.*)?$/, ([, device]) => device ?? ''],
    [/^(.+)\/events\/rpc$/, ([, device]) => device ?? ''],
  ];

/** The device that a topic names, with the default topics of the decoders; else the whole topic. */
export function deviceOfTopic(topic: string): string {
  for (const [pattern, device] of topics) {
    const match = pattern.exec(topic);
    if (match !== null) return device(match);
  }
  return topic;
}

/** Groups by reason, the most frequent one first, and by device. */
export function groupLetters(letters: readonly ListedLetter[]): ReasonGroup[] {
  const groups = [...Map.groupBy(letters, ({ reason }) => reason)].map(([reason, ofReason]) => {
    const byDevice = Map.groupBy(ofReason, ({ topic }) => deviceOfTopic(topic));
    const devices = [...byDevice].map(([device, ofDevice]) => ({
      ...{ key: `${reason} ${device}`, device },
      letters: ofDevice.toSorted(newestFirst),
    }));
    devices.sort(({ letters: [one] }, { letters: [other] }) =>
      one === undefined || other === undefined ? 0 : newestFirst(one, other),
    );
    return { reason, devices, count: ofReason.length };
  });
  return groups.sort(
    (one, other) => other.count - one.count || one.reason.localeCompare(other.reason),
  );
}

function newestFirst(one: ListedLetter, other: ListedLetter): number {
  return other.receivedAt.localeCompare(one.receivedAt) || one.id.localeCompare(other.id);
}

/**
 * Dead letters whose topic, detail or id contains the text, in any case.
 * @param translated the detail in the user's language, if there is a translation
 */
export function filterLetters(
  letters: readonly ListedLetter[],
  text: string,
  translated: (letter: ListedLetter) => string | undefined = () => undefined,
): ListedLetter[] {
  const wanted = text.trim().toLowerCase();
  return letters.filter((letter) => {
    const { topic, detail, id } = letter;
    const parts = [topic, detail, id, translated(letter) ?? ''];
    return parts.some((part) => part.toLowerCase().includes(wanted));
  });
}

/** Days of receipt in UTC, newest first, such as 2026-11-26. @param now epoch milliseconds */
export function lastDays(count: number, now: number): string[] {
  const dayMs = 86_400_000;
  return Array.from({ length: count }, (_, index) =>
    new Date(now - index * dayMs).toISOString().slice(0, 10),
  );
}
