import { findChromium } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';

/**
 * @param options further options of the command
 * @throws OperatorError without Chromium
 */
export async function openChromium(options: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new OperatorError('console needs Chromium (apt-get install chromium)');
  }
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...options];
  return chromium.launch({ executablePath, args });
}
