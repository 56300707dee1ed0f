import { hasBegun, issuerMessage, issuerUrl, newProof, SignInFailed, tokensOf } from './sign-in.ts';
import type { SessionInfo } from './session-info.ts';
import type { Tokens } from './sign-in.ts';

/** The windows of this origin: the issuer's pages break the link between a window and its opener. */
const channelName = 'engawa.sign-in';
/** Milliseconds for the window that has begun the sign-in to take its result. */
const takeMs = 2000;

/** What the issuer appends to the redirect URI. The code is of use only with the verifier of the other window. */
export interface Answer {
  state: string;
  /** null where the issuer refused. */
  code: string | null;
  /** Why it refused. */
  message?: string;
}

type Message = { kind: 'answer'; answer: Answer } | { kind: 'taken'; state: string };

let stopWaiting: (() => void) | undefined;

/**
 * Signs in at the issuer in another window. It stays unresolved where the user closes that window.
 * @returns tokens, or `blocked` where the browser opens no window
 * @throws SignInFailed where the issuer gave no token
 */
export async function signInInWindow(info: SessionInfo): Promise<Tokens | 'blocked'> {
  // Before anything asynchronous: browsers open windows only while they handle a click.
  const opened = open('about:blank', '_blank', 'popup,width=520,height=680');
  if (opened === null) return 'blocked';
  stopWaiting?.();
  const proof = newProof();
  const channel = new BroadcastChannel(channelName);
  stopWaiting = () => channel.close();
  opened.location.href = (await issuerUrl(info, proof)).href;
  const { code, message } = await new Promise<Answer>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'answer' || data.answer.state !== proof.state) return;
      channel.postMessage({ kind: 'taken', state: proof.state } satisfies Message);
      resolve(data.answer);
    };
  });
  stopWaiting();
  if (code === null) throw new SignInFailed(message ?? '');
  return tokensOf(code, proof.verifier);
}

/** Gives the issuer's answer to the window that has begun the sign-in. @returns whether there is such a window */
export async function handOverAnswer(): Promise<boolean> {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  if (state === null || hasBegun()) return false;
  const channel = new BroadcastChannel(channelName);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), takeMs);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'taken' && data.state === state) resolve(true);
  };
  const message = issuerMessage(query.get('error'), query.get('error_description'));
  const answer = { state, code: query.get('code'), message };
  channel.postMessage({ kind: 'answer', answer } satisfies Message);
  return promise.finally(() => {
    clearTimeout(timer);
    channel.close();
  });
}
