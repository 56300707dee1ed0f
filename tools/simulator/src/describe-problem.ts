const meanings: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** The cause of a connection error in one line. */
export function describeProblem(error: Error): string {
  // fetch, and connecting to a name with several addresses, wrap the actual error.
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  const [cause] = causes;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code in meanings) return meanings[code] ?? code;
  if (cause instanceof Error) return describeProblem(cause);
  // CONNACK code 1 (3.1.1) and reason 0x84 (5): unacceptable protocol version.
  if (code === 1 || code === 0x84) return 'it does not speak this version of MQTT (see --version)';
  return error.message.replaceAll(/\s+/g, ' ');
}
