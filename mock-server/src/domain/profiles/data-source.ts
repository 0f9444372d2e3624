import { redactSecrets } from '../credential.ts';
import { parseDuration } from '../duration.ts';
import { type ReceiverRules, receiverUrlProblem } from '../endpoint-url.ts';

export interface ReadableSource {
  kind: 'ndjson';
  /** A file's absolute path, or a URL. */
  location: string;
  /** The time between two reads, as the caller wrote it. Null if the source is read only on request. */
  schedule: string | null;
  /** Whether an import set the file's path. If so, the server ignores the file until a caller sets the source again. */
  imported?: true;
}

export type DataSource = { kind: 'push' } | ReadableSource;

/** Accepts unknown kinds, because a newer version of the server may have stored the source. */
export function isDataSource(value: unknown): value is DataSource {
  const { kind, location, schedule } = Object(value) as Record<string, unknown>;
  if (kind === 'push') return true;
  return typeof location === 'string' && (schedule === null || typeof schedule === 'string');
}

/** Without a stored source, API clients send the profiles (`push`). */
export const dataSourceOf = (row: { source: string | null } | undefined): DataSource =>
  row?.source ? (JSON.parse(row.source) as DataSource) : { kind: 'push' };

export type { ProfileSync as Sync } from '@svc/contract/control/resources';

const SCHEDULE_MIN_MS = 60_000;
/** With a longer interval, the time of the next read could be later than any valid date. */
const SCHEDULE_MAX_MS = 366 * 86_400_000;

/** Marks requests that read a data source. If such a request reaches the control API, the control API rejects it. */
export const DATA_SOURCE_HEADER = 'Service-Data-Source';

export const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location);

/** Omits the query, because a pre-signed URL's query is a credential. */
export const shownLocation = (location: string): string =>
  isUrl(location) ? redactSecrets(location.replace(/[?#].*$/s, '')) : location;

/** Marks a file as imported. The author of the export chose the path, which could lead to any file on this machine. */
export function importedSource(source: Record<string, unknown>): Record<string, unknown> {
  const { kind, location } = source;
  return kind === 'push' || (typeof location === 'string' && isUrl(location)) ? source : { ...source, imported: true };
}

/** Returns the path of an invalid field, and what is wrong with the field, as the end of a sentence. */
export function dataSourceProblem(
  source: DataSource,
  rules: ReceiverRules,
): { path: string; problem: string } | undefined {
  if (source.kind === 'push') return undefined;
  const problem = locationProblem(source.location, rules);
  if (problem !== undefined) return { path: 'location', problem };
  const ms = source.schedule === null ? SCHEDULE_MIN_MS : parseDuration(source.schedule);
  if (ms !== undefined && ms >= SCHEDULE_MIN_MS && ms <= SCHEDULE_MAX_MS) return undefined;
  return { path: 'schedule', problem: 'must be a duration of 1 minute to 366 days, such as PT1H, 30m or 1d, or null' };
}

function locationProblem(location: string, rules: ReceiverRules): string | undefined {
  if (isUrl(location)) {
    if (!URL.canParse(location)) return 'is not a valid URL';
    const { username, password } = new URL(location);
    if (username !== '' || password !== '') return 'must not contain a user name or password';
    return receiverUrlProblem(location, rules);
  }
  if (!rules.local) return 'must be an https URL: the strict profile does not read files';
  return location.startsWith('/') || /^[a-z]:[\\/]/i.test(location)
    ? undefined
    : 'must be an https URL or the absolute path of a file';
}

/**
 * Skips the scheduled times that passed during a long read, so that other due sources come first. Keeps the interval
 * within its limits, because an imported source may have a shorter or longer interval.
 */
export function nextSyncAt(source: DataSource, startedAt: number, endedAt = startedAt): number | null {
  if (source.kind === 'push' || source.schedule === null) return null;
  const everyMs = Math.min(Math.max(SCHEDULE_MIN_MS, parseDuration(source.schedule) ?? 0), SCHEDULE_MAX_MS);
  return startedAt + everyMs * (Math.floor((endedAt - startedAt) / everyMs) + 1);
}
