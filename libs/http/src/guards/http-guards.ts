import { BlockList, isIP } from 'node:net';
import { OperatorError } from '@engawa/errors';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ExchangeHandler } from '../route/exchange.ts';
import type { RequestLimits } from '../route/request-budget.ts';
import type { HttpConfig } from '../settings/http-settings.ts';
import { SharedWork } from '../work/client-work.ts';
import { PeerTokens } from '../peers/peer-tokens.ts';
import { requireKnownHost } from './known-hosts.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { TokenCheck } from './token-check.ts';
import { TokenRejections } from './token-rejections.ts';
import type { KeyTimes } from './issuer-keys.ts';
import type { TransferLimits } from './watch-transfer.ts';

/** The checks and limits that a request passes before its route. */
export interface HttpGuards {
  /** Refuses unknown host names where requests are not authenticated. */
  knownHost: ExchangeHandler;
  /** For one page of a list. */
  requestLimits: RequestLimits;
  /** The work for responses, shared among clients. */
  work: SharedWork;
  maxInFlight: number;
  transfer: TransferLimits;
  /** Per client; 0 disables the limit. */
  maxRequestsPerMinute: number;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Undefined without authentication. */
  tokens: TokenCheck | undefined;
  /** The keys of `tokens`. */
  keys: IssuerKeys | undefined;
  /** Authenticates other processes of this installation; undefined without a shared CURSOR_SECRET. */
  peers: PeerTokens | undefined;
}

export interface HttpGuardsOptions {
  /** Name of the service, and prefix of its scopes. */
  name: string;
  config: HttpConfig;
  log: Logger;
  registry: Registry;
  keyTimes?: Partial<KeyTimes>;
}

/**
 * Builds the guards from the settings.
 * @throws OperatorError where the authentication settings are missing or incomplete
 */
export function httpGuards(options: HttpGuardsOptions): HttpGuards {
  const { config } = options;
  const rejections = new TokenRejections(options);
  const authentication = needsTokens(options) ? createTokenCheck(options, rejections) : undefined;
  return {
    knownHost: requireKnownHost(config),
    requestLimits: {
      deadlineMs: config.REQUEST_DEADLINE_MS,
      maxUnits: config.REQUEST_UNIT_LIMIT,
      maxBytes: config.RESPONSE_BYTE_LIMIT,
    },
    work: new SharedWork(),
    maxInFlight: config.MAX_REQUESTS_IN_FLIGHT,
    transfer: {
      minBytesPerSecond: config.MIN_TRANSFER_BYTES_PER_SECOND,
      graceMs: config.TRANSFER_GRACE_MS,
    },
    maxRequestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustedProxies: config.TRUSTED_PROXIES,
    tokens: authentication?.tokens,
    keys: authentication?.keys,
    peers: config.CURSOR_SECRET === undefined ? undefined : new PeerTokens(config.CURSOR_SECRET),
  };
}

function needsTokens({ config, log }: HttpGuardsOptions): boolean {
  const { AUTH_MODE: mode, AUTH_ISSUER: issuer, HOST: host } = config;
  if (mode === undefined && issuer !== undefined) {
    throw new OperatorError(
      'AUTH_ISSUER is set, but AUTH_MODE is not; set AUTH_MODE to jwt or none',
    );
  }
  if (mode === undefined && !isLoopback(host)) {
    throw new OperatorError(
      `HOST ${host} is not a loopback address, and AUTH_MODE is not set; set AUTH_MODE to jwt (with AUTH_ISSUER and AUTH_AUDIENCE), or to none to allow all requests without authentication`,
    );
  }
  if (mode === 'none' && !isLoopback(host)) {
    log.warn({ host }, 'AUTH_MODE is none: requests are not authenticated');
  }
  return mode === 'jwt';
}

function createTokenCheck(
  { name, config, log, keyTimes = {} }: HttpGuardsOptions,
  rejections: TokenRejections,
): { tokens: TokenCheck; keys: IssuerKeys } {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwksUrl } = config;
  if (issuer === undefined || audience === undefined) {
    const missing = Object.entries({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience })
      .filter(([, value]) => value === undefined)
      .map(([variable]) => variable);
    throw new OperatorError(
      `AUTH_MODE is jwt, but ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
    );
  }
  const keys = new IssuerKeys({ issuer, jwksUrl, log, times: keyTimes });
  const tokens = new TokenCheck({
    service: name,
    issuer,
    audience,
    algorithms: config.AUTH_ALGORITHMS,
    types: config.AUTH_TOKEN_TYPES,
    clockToleranceSeconds: config.AUTH_CLOCK_TOLERANCE_S,
    placesClaim: config.AUTH_PLACES_CLAIM,
    keys: keys.find,
    rejections,
  });
  return { tokens, keys };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0
    ? host === 'localhost'
    : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
