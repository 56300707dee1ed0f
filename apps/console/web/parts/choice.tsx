import './choice.css';
import { setQuery } from '../router/router.ts';

interface ChoiceProps<Value extends string> {
  label: string;
  /** The parameter of the URL. */
  name: string;
  /** The name of each value in the user's language, in the order shown. */
  names: Readonly<Record<Value, string>>;
  value: Value;
}

/** A few values side by side, of which the URL has one. */
export function Choice<Value extends string>({ label, name, names, value }: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {(Object.entries(names) as [Value, string][]).map(([one, text]) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={() => setQuery({ [name]: one })}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
