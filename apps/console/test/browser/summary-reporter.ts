import { writeSummary } from './summary.ts';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import type { Failure } from './summary.ts';

const messageLines = 20;

/** Writes the counts of the tests, as jest-summary.cjs does for Jest. */
class SummaryReporter implements Reporter {
  readonly #passed = new Set<string>();
  readonly #skipped = new Set<string>();
  readonly #failures = new Map<string, Failure>();

  onTestEnd(test: TestCase, { status, error }: TestResult): void {
    const name = test.titlePath().filter(Boolean).join(' ');
    if (status === 'passed') this.#passed.add(name);
    else if (status === 'skipped') this.#skipped.add(name);
    else this.#failures.set(name, { name, message: plainText(error?.message ?? status) });
  }

  /** An error outside of tests: a file that cannot be loaded. */
  onError({ message = '' }: { message?: string }): void {
    const name = 'browser tests';
    this.#failures.set(message, { name, message: plainText(message) });
  }

  onEnd(): void {
    writeSummary({
      passed: this.#passed.size,
      failed: this.#failures.size,
      skipped: [...this.#skipped],
      failures: [...this.#failures.values()],
    });
  }
}

function plainText(message: string): string {
  // Without the colours of the terminal.
  const plain = message.replaceAll(/\u001b\[[\d;]*m/g, '');
  return plain.split('\n').slice(0, messageLines).join('\n');
}

// eslint-disable-next-line no-restricted-exports -- Playwright loads the default export of a reporter
export default SummaryReporter;
