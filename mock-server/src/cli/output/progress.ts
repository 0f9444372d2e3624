import { visibleLine } from '../../domain/visible-text.ts';
import type { Output } from './output.ts';
import { drawingStream } from './terminal.ts';

/** Shows a progress bar on standard error. Does nothing without a terminal that can move its cursor. */
export async function startProgress(
  output: Pick<Output, 'interactive'>,
  label: string,
  total: number,
): Promise<Disposable & { update(value: number, note?: string): void }> {
  if (!output.interactive || process.env['TERM'] === 'dumb') return { update() {}, [Symbol.dispose]() {} };
  const { Presets, SingleBar } = await import('cli-progress');
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% {note}`,
      stream: drawingStream(),
      barsize: 24,
      clearOnComplete: true,
      // Without a final redraw, a short run would show no bar.
      forceRedraw: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { note: '' });
  return {
    update: (value, note = '') => bar.update(Math.min(value, total), { note: visibleLine(note) }),
    [Symbol.dispose]: () => bar.stop(),
  };
}
