/** By the code that the operating system or TLS gives. */
const causes = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was reset'],
  ['ENOTFOUND', 'its host name is not known'],
  ['EAI_AGAIN', 'its host name cannot be looked up'],
  ['ETIMEDOUT', 'it does not answer'],
  ['EHOSTUNREACH', 'there is no route to it'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed; set MQTT_CA_FILE'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'its certificate is signed by an unknown authority; set MQTT_CA_FILE',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate is signed by an unknown authority; set MQTT_CA_FILE',
  ],
  ['ERR_OSSL_PEM_NO_START_LINE', 'a file with our certificate or key is not PEM'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
]);

/** What is wrong with the connection, in words and on one line. */
export function describeConnectionError(error: Error & { code?: number | string }): string {
  const { code } = error;
  const first = error instanceof AggregateError ? (error.errors[0] as typeof error) : undefined;
  if (first !== undefined) return describeConnectionError(first);
  const known = typeof code === 'string' ? causes.get(code) : undefined;
  return known ?? error.message.split('\n', 1)[0] ?? 'unknown';
}
