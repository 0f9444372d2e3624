import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.ts';

/** A progress bar on standard error, or nothing if nobody watches. */
export interface Progress extends Disposable {
  /** @param note - A text after the bar. */
  update(value: number, note?: string): void;
}

export function startProgress(output: Output, label: string, total: number): Progress {
  if (!output.interactive) return { update() {}, [Symbol.dispose]() {} };
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% {note}`,
      stream: process.stderr,
      barsize: 24,
      clearOnComplete: true,
      // Without it, a short run shows nothing.
      forceRedraw: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { note: '' });
  return {
    update: (value, note = '') => bar.update(Math.min(value, total), { note }),
    [Symbol.dispose]: () => bar.stop(),
  };
}
