import type { Sync } from '../domain/profiles/data-source.ts';
import type { Scores } from '../domain/profiles/scores.ts';
import type { Signals } from '../domain/profiles/signals.ts';
import type { LifecycleState } from '../domain/profiles/state.ts';

// The input and output of calls about profiles and evaluations, with the field names of the JSON.

/** A profile to import. Omitted fields do not change. */
export interface ProfileInput {
  externalId: string;
  name?: string | null | undefined;
  email?: string | null | undefined;
  attributes?: Record<string, unknown> | undefined;
  activeDays?: string[] | undefined;
  firstSeenAt?: string | undefined;
  lastSeenAt?: string | undefined;
}

/** One profile with its signals, score and state. */
export interface ControlProfile {
  id: string;
  externalId: string;
  name: string | null;
  email: string | null;
  attributes: Record<string, unknown>;
  firstSeenAt: string;
  lastSeenAt: string;
  activeDays: string[];
  state: LifecycleState | null;
  scores: Scores | null;
  signals: Signals | null;
  evaluatedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export type DataSourceInput =
  | { kind: 'push' }
  | { kind: 'ndjson'; location: string; schedule?: string | null | undefined };

/** Where a workspace's profiles come from. */
export interface ControlDataSource {
  kind: 'push' | 'ndjson';
  location?: string | undefined;
  schedule?: string | null | undefined;
  lastSync: Sync | null;
  nextSyncAt: string | null;
}
