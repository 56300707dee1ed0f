/** The PATH, and the folders outside a user's PATH into which Debian and Homebrew install brokers. */
export const pathWithSbin = [
  process.env['PATH'] ?? '',
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/sbin',
].join(':');
