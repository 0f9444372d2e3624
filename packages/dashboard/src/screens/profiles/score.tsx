/** Shows a score, which is between 0 and 100. */
export function Score({
  value,
  name,
  tone,
  large = false,
}: {
  value: number | undefined;
  name: string;
  tone: 'good' | 'bad';
  large?: boolean;
}) {
  if (value === undefined) return <span class="quiet">–</span>;
  return (
    <span class={`score ${large ? 'large' : ''}`}>
      <span class="num">
        <span class="hidden-visually">{name} </span>
        {value}
      </span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="score-track" width={100} height={6} />
        <rect class={`score-bar tone-${tone}`} width={value} height={6} />
      </svg>
    </span>
  );
}
