const MARKS: Readonly<Record<string, { shape: string; tone: string }>> = {
  success: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 8.2l2.1 2.1L11 6.2', tone: 'good' },
  failed: { shape: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM6 6l4 4M10 6l-4 4', tone: 'bad' },
  pending: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 5v3.2l2 1.3', tone: 'waiting' },
  disabled: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 8h6', tone: 'off' },
};
const UNKNOWN = { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z', tone: 'off' };

/** Status by shape, word and colour. */
export function Status({ value, word = value }: { value: string; word?: string }) {
  const { shape, tone } = MARKS[value] ?? UNKNOWN;
  return (
    <span class={`status tone-${tone}`}>
      <svg class="icon" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        <path d={shape} />
      </svg>
      <span>{word}</span>
    </span>
  );
}

/** How an endpoint does. */
export function EndpointMark({
  active,
  failures,
  autoDisabled,
}: {
  active: boolean;
  failures: number;
  autoDisabled: boolean;
}) {
  if (!active) return <Status value="disabled" word={autoDisabled ? 'auto-disabled' : 'paused'} />;
  if (failures > 0) return <Status value="failed" word="failing" />;
  return <Status value="success" word="active" />;
}
