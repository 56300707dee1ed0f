const untrusted =
  "TLS: the broker's certificate is signed by an unknown authority; set MQTT_CA_FILE to the certificate of that authority";
const clientRejected =
  'TLS: the broker rejects our client certificate; check MQTT_CERT_FILE and MQTT_KEY_FILE';

/** Reasons by error code of the operating system, Node.js or OpenSSL. */
const reasonsByCode = new Map([
  ['ECONNREFUSED', 'connection refused: nothing listens at this address'],
  ['ECONNRESET', 'the connection was reset; check whether MQTT_URL needs mqtts or wss'],
  ['ENOTFOUND', 'the host name does not exist'],
  ['EAI_AGAIN', 'the host name cannot be resolved at the moment'],
  ['ETIMEDOUT', 'the connection attempt timed out'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['CERT_HAS_EXPIRED', "TLS: the broker's certificate has expired"],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    "TLS: the broker's certificate is self-signed; set MQTT_CA_FILE to that certificate",
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "TLS: the broker's certificate is for another host name than that of MQTT_URL",
  ],
  [
    'ERR_OSSL_PEM_NO_START_LINE',
    'TLS: the file of MQTT_CERT_FILE, MQTT_KEY_FILE or MQTT_CA_FILE is not PEM',
  ],
  [
    'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
    'TLS: the key in MQTT_KEY_FILE does not belong to the certificate in MQTT_CERT_FILE',
  ],
]);

/** Reasons by TLS alert of the broker (RFC 8446, section 6). OpenSSL's error codes for them differ between releases. */
const reasonsByAlert = new Map([
  [
    40,
    'TLS: the broker refuses the handshake, probably because it requires a client certificate; set MQTT_CERT_FILE and MQTT_KEY_FILE',
  ],
  [42, clientRejected],
  [43, clientRejected],
  [44, clientRejected],
  [45, 'TLS: our client certificate has expired; replace the file of MQTT_CERT_FILE'],
  [46, clientRejected],
  [48, clientRejected],
  [70, 'TLS: the broker does not accept our TLS version'],
  [116, 'TLS: the broker requires a client certificate; set MQTT_CERT_FILE and MQTT_KEY_FILE'],
]);

interface ConnectionError extends Error {
  code?: number | string;
  /** OpenSSL's description of a TLS error, without its addresses and source files. */
  reason?: string;
}

/** Why a connection to the broker fails, on one line, and the setting to check where there is one. */
export function describeConnectionError(error: ConnectionError): string {
  const [first] = error instanceof AggregateError ? (error.errors as ConnectionError[]) : [];
  if (first !== undefined) return describeConnectionError(first);
  const { code, reason, message } = error;
  const alert = /SSL alert number (\d+)/.exec(message)?.[1];
  const known =
    reasonsByAlert.get(Number(alert)) ??
    (typeof code === 'string' ? reasonsByCode.get(code) : undefined);
  if (known !== undefined) return known;
  return reason === undefined ? message.replace(/\n.*/s, '') : `TLS: ${reason}`;
}
