import { computed, signal } from '@preact/signals';
import type { Zone } from '../format/instant.ts';
import { zone } from './preferences.ts';

/** The time zone of the current workspace. */
export const workspaceZone = signal<string | null>(null);

/** The time zone of the times on the page. */
export const shownZone = computed<Zone>(() => {
  if (zone.value !== 'workspace') return zone.value;
  return workspaceZone.value ?? 'utc';
});
