import { existsSync } from 'node:fs';

const executables = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of the installed Chromium or Chrome; undefined without one. */
export function findChromium(): string | undefined {
  return executables.find((path) => existsSync(path));
}
