import { effect, type Signal, signal } from '@preact/signals';

/**
 * Creates a preference that the page stores in `localStorage`. The only other value in this store is the id of the
 * workspace that was shown last.
 */
function preference<Value extends string>(name: string, values: readonly Value[]): Signal<Value> {
  const key = `svc-dashboard.${name}`;
  const kept = localStorage.getItem(key) as Value | null;
  const value = signal(kept !== null && values.includes(kept) ? kept : (values[0] as Value));
  effect(() => localStorage.setItem(key, value.value));
  return value;
}

export const theme = preference('theme', ['system', 'light', 'dark'] as const);
export const zone = preference('zone', ['local', 'utc', 'workspace'] as const);
export const shortcuts = preference('shortcuts', ['on', 'off'] as const);

export const lastWorkspace = {
  get: () => localStorage.getItem('svc-dashboard.workspace') ?? undefined,
  set: (id: string) => localStorage.setItem('svc-dashboard.workspace', id),
};

export function applyTheme(): void {
  effect(() => {
    if (theme.value === 'system') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.dataset['theme'] = theme.value;
  });
}
