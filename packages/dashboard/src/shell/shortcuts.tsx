import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { shortcuts } from '../data/preferences.ts';
import { href, inWorkspace } from '../routes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { isHelpOpen, isPaletteOpen } from './open-dialogs.ts';
import { moveToNextDue } from './time-bar.tsx';

const KEYS = [
  ['Ctrl+K', 'search or paste an id'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'go back to the list'],
  ['/', 'go to the filters'],
  ['g d, g e, g w', 'deliveries, events, webhooks'],
  ['g k, g r, g f', 'API keys, requests, faults'],
  ['r', 'replay the delivery'],
  ['c', 'copy as curl'],
  ['n', 'advance the clock to the next due work'],
  ['?', 'show this list'],
] as const;

const SCREENS: Readonly<Record<string, string>> = {
  d: 'deliveries',
  e: 'events',
  w: 'webhooks',
  k: 'api-keys',
  r: 'requests',
  f: '/server/faults',
};
const SEQUENCE_MS = 1_200;

/** Whether a dialog is open or a field has the focus. If so, the dialog or the field handles the keys. */
const isTyping = (target: EventTarget | null) =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null);

function moveFocus(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main .row-link')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const press = (name: string) => {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')];
  const found = buttons.find((button) => button.textContent?.trim() === name);
  if (!found || found.disabled) return;
  // Focus the button, because it may open a menu. Tab must then move the focus from the button to the menu: from
  // another element, Tab would close the menu.
  found.focus();
  found.click();
};

/** Ctrl+K always works. Single keys work unless shortcuts are off, the user is typing, or a dialog is open. */
export function Shortcuts({ workspaceId }: { workspaceId: string }) {
  const { route } = useLocation();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.value = true;
        return;
      }
      if (shortcuts.value === 'off' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const screen = SCREENS[event.key];
      if (event.timeStamp - startedAt < SEQUENCE_MS && screen) {
        startedAt = Number.NEGATIVE_INFINITY;
        route(screen.startsWith('/') ? href(screen) : inWorkspace(workspaceId, screen));
        return;
      }
      const actions: Record<string, () => void> = {
        g: () => {
          startedAt = event.timeStamp;
        },
        j: () => moveFocus(1),
        k: () => moveFocus(-1),
        '/': () => document.querySelector<HTMLElement>('main search :is(input, select, button)')?.focus(),
        r: () => press('Replay'),
        c: () => press('Copy as curl'),
        n: () => void moveToNextDue(),
        Escape: () => document.querySelector<HTMLElement>('main .back')?.click(),
        '?': () => {
          isHelpOpen.value = true;
        },
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [workspaceId, route]);
  if (!isHelpOpen.value) return null;
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">You can switch off single keys in the preferences.</p>
    </Dialog>
  );
}
