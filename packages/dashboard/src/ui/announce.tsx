import { signal } from '@preact/signals';

const INTERVAL_MS = 5_000;
const said = signal('');
let next: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Announces a text to screen readers. If more texts follow within the next 5 s, announces only the last of these texts,
 * when the 5 s are over.
 */
export function announce(text: string): void {
  if (timer) {
    next = text;
    return;
  }
  said.value = text;
  timer = setTimeout(() => {
    timer = undefined;
    if (next === undefined) return;
    const latest = next;
    next = undefined;
    announce(latest);
  }, INTERVAL_MS);
}

export function LiveRegion() {
  return (
    <div class="hidden-visually" role="status" aria-live="polite">
      {said}
    </div>
  );
}
