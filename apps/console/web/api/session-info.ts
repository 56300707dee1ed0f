/** How the services authenticate callers, as the server of the console says. */
export interface SessionInfo {
  mode: 'none' | 'jwt';
  /** Present where the console may sign in with the issuer. */
  clientId?: string;
  scopes?: string;
  authorizationUrl?: string;
  /** The parameter `audience` of the sign-in, which some issuers need. */
  audience?: string;
  /** Present where the issuer has a page that ends its session. */
  endSessionUrl?: string;
  /** Why the issuer's endpoints are not known. */
  issuerProblem?: string;
}
