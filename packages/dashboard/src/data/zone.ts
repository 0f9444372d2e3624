import { computed, signal } from '@preact/signals';
import type { Zone } from '../format/instant.ts';
import { zone } from './preferences.ts';

export const workspaceZone = signal<string | null>(null);

export const shownZone = computed<Zone>(() => {
  if (zone.value !== 'workspace') return zone.value;
  return workspaceZone.value ?? 'utc';
});
