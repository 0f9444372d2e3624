/** What the calls about profiles and evaluations take and return. The names are those of their JSON. */
export type ProfileState = 'new' | 'active' | 'at_risk' | 'dormant' | 'churned';

/** A profile to import. A field that is left out stays as it is. */
export interface ProfileInput {
  externalId: string;
  name?: string | null | undefined;
  email?: string | null | undefined;
  attributes?: Record<string, unknown> | undefined;
  activeDays?: string[] | undefined;
  firstSeenAt?: string | undefined;
  lastSeenAt?: string | undefined;
}

/** What became of an import. */
export interface ImportedProfiles {
  /** Created, updated or unchanged. */
  upserted: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** The first hundred that were rejected. */
  problems: ImportProblem[];
}

export interface ImportProblem {
  line: number;
  message: string;
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
  state: ProfileState | null;
  scores: { engagement: number; churnRisk: number } | null;
  signals: {
    daysSinceLastSeen: number;
    daysSinceFirstSeen: number;
    activeDaysLast7: number;
    activeDaysLast28: number;
    activeDaysThisWeek: number;
    activeDaysLastWeek: number;
    weekOverWeek: number;
  } | null;
  evaluatedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export type DataSourceInput =
  | { kind: 'push' }
  | { kind: 'ndjson'; location: string; schedule?: string | null | undefined };

/** One sync of a workspace's data source. */
export interface ProfileSync {
  startedAt: string;
  finishedAt: string;
  upserted: number;
  rejected: number;
  problems: ImportProblem[];
  error: string | null;
}

/** Where a workspace's profiles come from. */
export interface ControlDataSource {
  kind: 'push' | 'ndjson';
  location?: string | undefined;
  schedule?: string | null | undefined;
  lastSync: ProfileSync | null;
  nextSyncAt: string | null;
}

/** One evaluation of a workspace. */
export interface ControlEvaluation {
  id: string;
  workspaceId: string;
  eventId: string;
  trigger: 'schedule' | 'request' | 'calendar';
  startedAt: string;
  finishedAt: string;
  profiles: number;
  changed: number;
  states: Record<ProfileState, number>;
  transitions: { from: ProfileState | null; to: ProfileState; profiles: number }[];
  syncError: string | null;
}
