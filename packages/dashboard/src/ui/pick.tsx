import { Icon } from './icons.tsx';

export type Option = readonly [value: string, text: string];

export const optionsOf = (values: readonly string[]): Option[] => values.map((value) => [value, value]);

export function Pick({
  label,
  value,
  text = value,
  none = 'any',
  options,
  onPick,
}: {
  label: string;
  value: string | undefined;
  /** The text to show if the value is not one of the options, because a URL can set any value. */
  text?: string | undefined;
  /** The text to show if nothing is selected. */
  none?: string;
  options: readonly Option[];
  onPick: (value: string | undefined) => void;
}) {
  return (
    <label class={`pick ${value ? 'on' : ''}`}>
      <span>{label}</span>
      <select value={value ?? ''} onChange={(event) => onPick(event.currentTarget.value || undefined)}>
        <option value="">{none}</option>
        {value && !options.some(([known]) => known === value) && <option value={value}>{text}</option>}
        {options.map(([known, word]) => (
          <option key={known} value={known}>
            {word}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </label>
  );
}
