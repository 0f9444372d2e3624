import { parseDuration } from '../duration.ts';
import { type ReceiverRules, receiverUrlProblem } from '../endpoint-url.ts';
import type { ImportProblem } from './import-result.ts';

/** Where a workspace's profiles come from. */
export type DataSource =
  | { kind: 'push' }
  | {
      kind: 'ndjson';
      /** A file's absolute path, or a URL. */
      location: string;
      /** A duration as given, or null to read on request only. */
      schedule: string | null;
    };

/** The result of reading a data source. Times are ISO 8601. */
export interface Sync {
  startedAt: string;
  finishedAt: string;
  upserted: number;
  rejected: number;
  problems: ImportProblem[];
  /** Why it ended early, or null. */
  error: string | null;
}

/** The shortest interval of a schedule. For shorter ones, read the source on request. */
export const SCHEDULE_MIN_MS = 60_000;

/** Whether a location is a URL. Otherwise it is a file path. */
export const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location);

/** Why a source cannot be used, as the end of a sentence about a field, or undefined. */
export function dataSourceProblem(
  source: DataSource,
  rules: ReceiverRules,
): { path: string; problem: string } | undefined {
  if (source.kind === 'push') return undefined;
  const problem = locationProblem(source.location, rules);
  if (problem !== undefined) return { path: 'location', problem };
  const ms = source.schedule === null ? SCHEDULE_MIN_MS : parseDuration(source.schedule);
  if (ms !== undefined && ms >= SCHEDULE_MIN_MS) return undefined;
  return { path: 'schedule', problem: 'must be a duration of at least one minute, such as PT1H, 30m or 1d, or null' };
}

function locationProblem(location: string, rules: ReceiverRules): string | undefined {
  if (isUrl(location)) {
    if (!URL.canParse(location)) return 'is not a valid URL';
    const { username, password } = new URL(location);
    if (username !== '' || password !== '') return 'must not contain a user name or password';
    return receiverUrlProblem(location, rules);
  }
  if (!rules.local) return 'must be an https URL: in the strict profile no files are read';
  return location.startsWith('/') || /^[a-z]:[\\/]/i.test(location)
    ? undefined
    : 'must be an https URL or the absolute path of a file';
}

/** When to read a source next, or null if only on request. */
export function nextSyncAt(source: DataSource, after: number): number | null {
  if (source.kind === 'push' || source.schedule === null) return null;
  return after + (parseDuration(source.schedule) ?? 0);
}
