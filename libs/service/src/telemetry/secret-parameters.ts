/**
 * Query parameters whose values are not exported with spans: codes and tokens of OAuth (RFC 6749; RFC 6750, section
 * 2.3), cursors, which name partition keys, and signatures of URLs. Names are case-sensitive, as in these standards.
 */
export const secretParameters: string[] = [
  ...['code', 'state', 'session_state', 'code_verifier', 'error_description'],
  ...['access_token', 'refresh_token', 'id_token', 'id_token_hint', 'token', 'jwt', 'assertion'],
  ...['authorization', 'auth', 'client_secret', 'secret', 'password', 'passwd', 'pwd', 'username'],
  ...['api_key', 'apikey', 'apiKey', 'key', 'credential', 'session'],
  'cursor',
  ...['sig', 'signature', 'Signature', 'AWSAccessKeyId', 'X-Goog-Signature'],
  ...['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token'],
];
