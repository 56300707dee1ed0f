import { setTimeout as sleep } from 'node:timers/promises';

/** Metrics of which one is the sum of the others. */
const received = 'engawa_ingest_received_messages_total';
const done = 'engawa_ingest_messages_total';
const held = 'engawa_ingest_unacknowledged_messages';

/** Of the messages of one ingestion, scraped for as long as it can be. */
export class Account {
  scrapes = 0;
  /** Scrapes during which messages were on their way. */
  underWay = 0;
  /** The most that were held at once. */
  mostHeld = 0;
  /** Where what was received was neither done with nor held; and each time something went back. */
  readonly wrong: string[] = [];
  /** All that the last scrape gave. */
  #text = '';
  /** Resolves when nothing answers any more. */
  readonly ended: Promise<void>;

  constructor(metricsUrl: string) {
    this.ended = this.#follow(`${metricsUrl}/metrics`);
  }

  /** The sum of a metric's samples that have these labels, at the last scrape. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return sumOf(this.#text, name, labels);
  }

  /** Messages that the last scrape says were received, are done with, and are held. */
  get now() {
    return { received: this.sum(received), done: this.sum(done), held: this.sum(held) };
  }

  async #follow(url: string): Promise<void> {
    for (;;) {
      const text = await fetch(url).then(
        (answer) => answer.text(),
        () => undefined,
      );
      if (text === undefined) return;
      const before = this.now;
      this.#text = text;
      this.#check(before);
      await sleep(1);
    }
  }

  #check(before: Account['now']): void {
    const { now } = this;
    this.scrapes += 1;
    if (now.held > 0) this.underWay += 1;
    this.mostHeld = Math.max(this.mostHeld, now.held);
    const isBalanced = now.received === now.done + now.held;
    const wentBack = now.received < before.received || now.done < before.done || now.held < 0;
    if (!isBalanced || wentBack) this.wrong.push(JSON.stringify({ before, now }));
  }
}

function sumOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
