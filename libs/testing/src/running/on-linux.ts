const elsewhere = (reason: string): string => `skipped on ${process.platform}: ${reason}`;

/**
 * `describe`, skipped on other systems than Linux.
 * @param reason what the tests need, and only Linux has
 */
export function describeOnLinux(reason: string, name: string, tests: () => void): void {
  if (process.platform === 'linux') describe(name, tests);
  else describe.skip(`${name} (${elsewhere(reason)})`, tests);
}

/**
 * `it`, skipped on other systems than Linux.
 * @param reason what the test needs, and only Linux has
 */
export function itOnLinux(reason: string, name: string, test: jest.ProvidesCallback): void {
  if (process.platform === 'linux') it(name, test);
  else it.skip(`${name} (${elsewhere(reason)})`, () => undefined);
}

/** Other systems listen only at the addresses of loopback that are configured, usually 127.0.0.1. */
export const loopbackReason = 'only Linux listens at all addresses of 127.0.0.0/8';
