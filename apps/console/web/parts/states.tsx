import { ProblemError } from '@engawa/client';
import { defineTranslations } from '../i18n/define-translations.ts';
import { problemsJa } from '../i18n/problems-ja.ts';
import { shared } from '../i18n/shared.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { ComponentChildren } from 'preact';

const translateProblem = defineTranslations({ ja: problemsJa });

/** Nothing is there yet: says why, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey lines in the place of content. @param lines how many */
export function LoadingState({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={shared.value.state.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}

/** An error of a request: its title, its detail, what to do, and the request id for the log. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, advice, requestId } = describeError(error);
  const texts = shared.value.state;
  return (
    <div class="state state-error" role="alert">
      <p class="state-title">
        <Icon name="warning" /> {title}
      </p>
      {detail !== undefined && <p lang="en">{detail}</p>}
      <p>{advice}</p>
      {requestId !== undefined && (
        <p class="muted">
          {texts.requestId} <code>{requestId}</code>
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{texts.retry}</Button>}
    </div>
  );
}

interface DescribedError {
  title: string;
  /** The service's, in English; absent where it says no more than the title. */
  detail?: string | undefined;
  advice: string;
  requestId?: string | undefined;
}

export function describeError(error: unknown): DescribedError {
  const { unreachable, unreachableAdvice, adviceOfStatus, adviceElse } = shared.value.state;
  if (!(error instanceof ProblemError)) {
    return { title: unreachable, advice: unreachableAdvice };
  }
  const { type, status, requestId } = error;
  const title = translateProblem(type, undefined) ?? error.title;
  const detail = error.detail === error.title ? undefined : error.detail;
  const advice = (adviceOfStatus as Partial<Record<number, string>>)[status] ?? adviceElse;
  return { title, detail, advice, requestId };
}
