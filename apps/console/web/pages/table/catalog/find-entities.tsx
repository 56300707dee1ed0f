import { useState } from 'preact/hooks';
import { Button } from '../../../parts/button.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { currentQuery, setQuery } from '../../../router/router.ts';
import { Field, SelectField } from '../field.tsx';
import { tableTexts } from '../texts.ts';
import { ConditionFields } from './condition-fields.tsx';
import { find } from './find.ts';
import { findersOf, noCondition, operators } from './find-form.ts';
import { FoundEntities } from './found-entities.tsx';
import type { FindPage, FindQuestion } from './find.ts';
import type { Condition, EntityType, Finder } from './find-form.ts';

/** A form made from the declaration of a type, and the entities that it finds. */
export function FindEntities({ type }: { type: EntityType }) {
  const texts = tableTexts.value.catalog;
  const [page, setPage] = useState<FindPage & { question: FindQuestion }>();
  const [error, setError] = useState<unknown>();
  const finders = findersOf(type);
  const question = questionOf(type.name, finders);
  const { finder } = question;
  const run = async (asked: FindQuestion, shown: FindPage | undefined): Promise<void> => {
    try {
      const found = await find(asked, shown?.cursor);
      setError(undefined);
      setPage({ ...found, items: [...(shown?.items ?? []), ...found.items], question: asked });
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <section class="card">
      <h2>{texts.find}</h2>
      <form
        class="query-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(question, undefined);
        }}
      >
        <div class="fields">
          <SelectField
            label={texts.by}
            value={finder.id}
            names={Object.fromEntries(finders.map((one) => [one.id, finderName(one)]))}
            onChange={chooseFinder}
          />
          <FinderFields question={question} />
          <Button type="submit" kind="primary">
            {texts.run}
          </Button>
        </div>
      </form>
      {error !== undefined && <ErrorState error={error} />}
      {page !== undefined && (
        <FoundEntities type={type.name} page={page} onNext={() => void run(page.question, page)} />
      )}
    </section>
  );
}

function finderName(finder: Finder): string {
  const texts = tableTexts.value.catalog;
  if (finder.kind === 'list') return texts.list;
  if (finder.kind === 'text') return texts.fullText;
  const name = finder.kind === 'search' ? texts.search(finder.name) : texts.ranking(finder.name);
  return finder.isBuilding ? `${name} (${texts.building})` : name;
}

/** The most parts that a search or the filters of a type have in the URL. */
const maxParts = 20;

/** Conditions of another form have no meaning. */
function chooseFinder(by: string): void {
  const conditions = Array.from({ length: maxParts }, (_, at) => [`op${at}`, `v${at}`, `to${at}`]);
  const removed = conditions.flat().map((name) => [name, undefined] as const);
  setQuery({
    ...Object.fromEntries(removed),
    by,
    words: undefined,
    within: undefined,
    period: undefined,
  });
}

/** The question as the URL has it. */
function questionOf(type: string, finders: readonly Finder[]): FindQuestion {
  const query = currentQuery.value;
  const text = (name: string): string => query.get(name) ?? '';
  const finder = finders.find(({ id }) => id === text('by')) ?? { kind: 'list', id: 'list' };
  const parts = finder.kind === 'search' || finder.kind === 'text' ? finder.parts : [];
  const conditions = parts.map(({ operators: allowed }, at): Condition => {
    const operator = operators.find((one) => one === text(`op${at}`) && allowed.includes(one));
    return {
      operator: operator ?? noCondition.operator,
      value: text(`v${at}`),
      to: text(`to${at}`),
    };
  });
  return {
    type,
    finder,
    conditions,
    words: text('words'),
    within: text('within'),
    period: text('period'),
  };
}

function FinderFields({ question }: { question: FindQuestion }) {
  const texts = tableTexts.value.catalog;
  const { finder, conditions, words, within, period } = question;
  const given = (name: string) => (value: string) =>
    setQuery({ [name]: value === '' ? undefined : value });
  if (finder.kind === 'ranking') {
    return (
      <>
        {finder.within !== undefined && (
          <Field
            label={texts.within(finder.within)}
            value={within}
            isKey
            onInput={given('within')}
          />
        )}
        {finder.period !== undefined && (
          <Field
            label={texts.periods[finder.period]}
            value={period}
            placeholder={texts.currentPeriod}
            isKey
            onInput={given('period')}
          />
        )}
      </>
    );
  }
  if (finder.kind !== 'search' && finder.kind !== 'text') return null;
  return (
    <>
      {finder.kind === 'text' && finder.hasWords && (
        <Field label={texts.words} value={words} onInput={given('words')} />
      )}
      {finder.parts.map((part, at) => (
        <ConditionFields
          key={part.name}
          {...{ part, at, conditions }}
          isOrdered={finder.kind === 'search'}
        />
      ))}
    </>
  );
}
