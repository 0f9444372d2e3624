import { Icon } from './icons.tsx';

export function FilterChip({
  name,
  value,
  text = value,
  onRemove,
}: {
  name: string;
  value: string;
  text?: string;
  onRemove: () => void;
}) {
  return (
    <span class="chip" title={value}>
      {name}: <b>{text}</b>
      <button type="button" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
        <Icon name="cross" size={12} />
      </button>
    </span>
  );
}
