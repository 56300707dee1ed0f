import { findChromium } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';

/** @throws OperatorError without Chromium */
export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new OperatorError('console needs Chromium (apt-get install chromium)');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
