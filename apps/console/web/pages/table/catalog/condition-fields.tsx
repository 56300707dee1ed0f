import { setQuery } from '../../../router/router.ts';
import { Field, SelectField } from '../field.tsx';
import { tableTexts } from '../texts.ts';
import { isUsable, noCondition } from './find-form.ts';
import type { Condition, Part, PartKind } from './find-form.ts';

interface ConditionFieldsProps {
  part: Part;
  /** Its place among the parts, which names its parameters in the URL. */
  at: number;
  conditions: readonly Condition[];
  /** Whether a part needs equality of the parts before it. */
  isOrdered: boolean;
}

const placeholders: Readonly<Record<PartKind, string>> = {
  text: '',
  number: '0',
  instant: '2026-03-01T00:00:00Z',
  boolean: '',
  id: 'id',
};

/** The operator and the values of one part of a search. */
export function ConditionFields({ part, at, conditions, isOrdered }: ConditionFieldsProps) {
  const texts = tableTexts.value.catalog;
  const { name, kind, operators } = part;
  const { operator, value, to } = conditions[at] ?? noCondition;
  const disabled = isOrdered && !isUsable(conditions, at);
  const set = (parameter: string) => (given: string) =>
    setQuery({ [`${parameter}${at}`]: given === '' ? undefined : given });
  const shown = disabled ? 'any' : operator;
  const field = (label: string, parameter: string, given: string) => (
    <Field
      label={label}
      value={given}
      isNumber={kind === 'number'}
      isKey={kind === 'id'}
      placeholder={placeholders[kind]}
      onInput={set(parameter)}
    />
  );
  return (
    <fieldset class="condition">
      <legend class="visually-hidden">{name}</legend>
      <SelectField
        label={texts.operatorOf(name)}
        value={shown}
        disabled={disabled}
        names={Object.fromEntries(operators.map((one) => [one, texts.operators[one]]))}
        onChange={set('op')}
      />
      {shown === 'eq' && kind === 'boolean' && (
        <SelectField
          label={texts.valueOf(name)}
          value={value}
          names={{ '': '', ...texts.truth }}
          onChange={set('v')}
        />
      )}
      {shown === 'eq' && kind !== 'boolean' && field(texts.valueOf(name), 'v', value)}
      {shown === 'prefix' && field(texts.valueOf(name), 'v', value)}
      {shown === 'range' && field(texts.fromOf(name), 'v', value)}
      {shown === 'range' && field(texts.toOf(name), 'to', to)}
    </fieldset>
  );
}
