import { setTimeout as sleep } from 'node:timers/promises';

/** Metrics of which one is the sum of the others. */
const received = 'engawa_ingest_received_messages_total';
const done = 'engawa_ingest_messages_total';
const held = 'engawa_ingest_unacknowledged_messages';

/** Message counters of one ingestion, scraped until it ends. */
export class Account {
  scrapes = 0;
  /** Number of scrapes with messages in flight. */
  underWay = 0;
  /** Maximum number of held messages. */
  mostHeld = 0;
  /** Scrapes whose received messages were neither completed nor held, or whose counters decreased. */
  readonly wrong: string[] = [];
  /** Metrics of the last scrape. */
  #text = '';
  /** Resolves when the service no longer responds. */
  readonly ended: Promise<void>;

  constructor(metricsUrl: string) {
    this.ended = this.#follow(`${metricsUrl}/metrics`);
  }

  /** The sum of a metric's samples that have these labels, at the last scrape. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return sumOf(this.#text, name, labels);
  }

  /** Received, completed and held messages at the last scrape. */
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
