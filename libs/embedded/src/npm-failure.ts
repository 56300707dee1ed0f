/** Codes of npm, and of Node's network errors that npm passes on. */
const reasons: Readonly<Record<string, string>> = {
  E404: 'the npm registry does not have this package',
  ETARGET: 'the npm registry does not have this version of the package',
  EINTEGRITY: 'the download does not have the checksum that the npm registry gives',
  ENOTCACHED: 'npm is set to work offline, and its cache does not have this package',
  ...Object.fromEntries(
    [
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ETIMEDOUT',
      'EIDLETIMEOUT',
      'ERR_SOCKET_TIMEOUT',
      'FETCH_ERROR',
    ].map((code) => [code, 'the npm registry cannot be reached']),
  ),
};

/** The reason of a failed `npm … --json` in one line, from its output. */
export function npmFailure(output: string): string {
  const { code = '', summary = '' } = parseError(output);
  if (summary === '') return `npm failed: ${output.trim() || 'no output'}`;
  return `${reasons[code] ?? `npm failed with ${code}`}: ${summary.replaceAll(/\s+/g, ' ')}`;
}

function parseError(output: string): { code?: string; summary?: string } {
  try {
    return (JSON.parse(output.slice(output.indexOf('{'))) as { error: object }).error;
  } catch {
    return {};
  }
}
