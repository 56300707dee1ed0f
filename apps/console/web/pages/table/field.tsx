interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** Digits come first on the keyboard of a phone; a number has up to 38 digits, which `type="number"` would round. */
  isNumber?: boolean;
  /** A key or an id, in a font of fixed width and without spelling. */
  isKey?: boolean;
  isWide?: boolean;
  disabled?: boolean;
  placeholder?: string;
}

/** A labelled input. */
export function Field(props: FieldProps) {
  const { label, value, onInput, isNumber = false, isKey = false, isWide = false } = props;
  const { disabled = false, placeholder } = props;
  return (
    <label class={`field${isWide ? ' field-wide' : ''}`}>
      <span>{label}</span>
      <input
        class={`input${isKey ? ' key-text' : ''}`}
        type="text"
        {...{ value, disabled, placeholder }}
        inputMode={isNumber ? 'decimal' : undefined}
        spellcheck={!isKey}
        autocomplete="off"
        autocapitalize="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  /** The name of each value, in the order shown. */
  names: Readonly<Record<string, string>>;
  onChange: (value: string) => void;
  disabled?: boolean;
}

/** A labelled choice. */
export function SelectField({ label, value, names, onChange, disabled = false }: SelectFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        class="select"
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {Object.entries(names).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
