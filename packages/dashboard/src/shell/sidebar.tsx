import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { docsUrl, href, inWorkspace } from '../routes.ts';
import { Icon, type IconName } from '../ui/icons.tsx';

type Entry = readonly [path: string, text: string, icon: IconName];

const BENCH = 'Reference server';

const GROUPS: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    '',
    [
      ['', 'Overview', 'overview'],
      ['deliveries', 'Deliveries', 'deliveries'],
      ['events', 'Events', 'events'],
      ['profiles', 'Profiles', 'profiles'],
      ['lifecycle', 'Lifecycle', 'lifecycle'],
    ],
  ],
  [
    'Developers',
    [
      ['webhooks', 'Webhooks', 'webhooks'],
      ['api-keys', 'API keys', 'key'],
      ['event-types', 'Event types', 'types'],
      [docsUrl(), 'API reference', 'book'],
    ],
  ],
  [
    'Admin settings',
    [
      ['settings', 'Settings', 'settings'],
      ['members', 'Members', 'members'],
      ['/account', 'Account', 'user'],
    ],
  ],
  [
    BENCH,
    [
      ['requests', 'Requests', 'requests'],
      ['/server/faults', 'Faults', 'faults'],
      ['/server', 'Server', 'terminal'],
    ],
  ],
];

const targetOf = (to: string, workspaceId: string) =>
  to === docsUrl() ? to : to.startsWith('/') ? href(to) : inWorkspace(workspaceId, to);

/** Whether a screen is a tool that the real service does not have. */
export const isOnBench = (path: string, workspaceId: string | undefined): boolean =>
  GROUPS.some(
    ([title, entries]) =>
      title === BENCH &&
      entries.some(([to]) => {
        const target = targetOf(to, workspaceId ?? '');
        return path === target || path.startsWith(`${target}/`);
      }),
  );

/**
 * Lists the screens. In a narrow window, the list is a drawer, which has the focus while it is open. The drawer covers
 * other buttons, so it closes when the focus leaves it. Escape closes it, too.
 */
export function Sidebar({
  workspaceId,
  isOpen,
  onClose,
}: {
  workspaceId: string;
  isOpen: boolean;
  /** @param focused - The element that has the focus now, if the focus has left the drawer. */
  onClose: (focused?: EventTarget) => void;
}) {
  const { path } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    nav.current?.querySelector('a')?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      // Escape is also the shortcut to go back. Here, Escape should close the drawer and do nothing else.
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, onClose]);
  return (
    <nav
      ref={nav}
      class={`side ${isOpen ? 'open' : ''}`}
      aria-label="Screens"
      onFocusOut={({ relatedTarget: to }) => {
        if (isOpen && to && !nav.current?.contains(to as Node)) onClose(to);
      }}
    >
      {GROUPS.map(([title, entries]) => (
        <div key={title} class={`nav-group ${title === BENCH ? 'bench' : ''}`}>
          {title && <h2>{title}</h2>}
          <ul>
            {entries.map(([to, text, icon]) => {
              const target = targetOf(to, workspaceId);
              const isHere = path === target || (to !== '' && to !== '/server' && path.startsWith(`${target}/`));
              return (
                <li key={to}>
                  <a href={target} aria-current={isHere ? 'page' : undefined}>
                    <Icon name={icon} />
                    {text}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
