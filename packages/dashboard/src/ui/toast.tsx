import { signal } from '@preact/signals';
import { messageOf } from '../data/server-error.ts';
import { announce } from './announce.tsx';
import { Icon } from './icons.tsx';

interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'waiting' | 'bad';
  link?: { href: string; text: string } | undefined;
}

const SHOWN_MS = 6_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

export function toast(text: string, options: { tone?: Toast['tone']; link?: Toast['link'] } = {}): void {
  const id = ++last;
  const { tone = 'good', link } = options;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone, link }];
  announce(text);
  // An error stays until the user closes it, or until three newer toasts replace it.
  if (tone !== 'bad') setTimeout(() => drop(id), SHOWN_MS);
}

/** Waits for the work. If the work fails, shows the reason in a toast. */
export async function orToast(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toast(messageOf(error), { tone: 'bad' });
  }
}

const drop = (id: number) => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

export function Toasts() {
  return (
    <div class="toasts">
      {toasts.value.map(({ id, text, tone, link }) => (
        <div key={id} class={`toast tone-${tone}`}>
          <span>{text}</span>
          {link && (
            <a href={link.href} onClick={() => drop(id)}>
              {link.text}
            </a>
          )}
          <button type="button" class="ghost icon-only" aria-label="Dismiss" onClick={() => drop(id)}>
            <Icon name="cross" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
