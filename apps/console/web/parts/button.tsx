import type { ComponentChildren } from 'preact';

interface ButtonProps {
  onClick?: () => void;
  /** `primary`: the one action that the page suggests. */
  kind?: 'plain' | 'primary' | 'danger';
  type?: 'button' | 'submit';
  disabled?: boolean;
  label?: string;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { onClick, kind = 'plain', type = 'button', disabled = false, label, children } = props;
  return (
    <button
      class={`button button-${kind}`}
      type={type}
      disabled={disabled}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
