import { redactSecrets } from '../credential.ts';
import { parseDuration } from '../duration.ts';
import { type ReceiverRules, receiverUrlProblem } from '../endpoint-url.ts';

/** Where a workspace's profiles come from. */
export type DataSource =
  | { kind: 'push' }
  | {
      kind: 'ndjson';
      /** A file's absolute path, or a URL. */
      location: string;
      /** A duration as given, or null to read on request only. */
      schedule: string | null;
      /** Whether the path of a file came with an import. The file is then not read until the source is set again. */
      imported?: true;
    };

export type { ProfileSync as Sync } from '@svc/contract/control/resources';

/** The shortest interval of a schedule. For shorter ones, read the source on request. */
export const SCHEDULE_MIN_MS = 60_000;

/** Marks each request that reads a data source, so that no control API responds to it. */
export const DATA_SOURCE_HEADER = 'Service-Data-Source';

/** Whether a location is a URL. Otherwise the location is a file path. */
export const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location);

/** A location as errors and logs show it. The query of a pre-signed URL is a credential. */
export const shownLocation = (location: string): string =>
  isUrl(location) ? redactSecrets(location.replace(/[?#].*$/s, '')) : location;

/**
 * The source of a row that is imported. The author of the export chose the path of a file, and could have chosen any
 * file on this machine.
 */
export function importedSource(source: Record<string, unknown>): Record<string, unknown> {
  const { kind, location } = source;
  return kind === 'push' || (typeof location === 'string' && isUrl(location)) ? source : { ...source, imported: true };
}

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
  if (!rules.local) return 'must be an https URL: the strict profile reads no files';
  return location.startsWith('/') || /^[a-z]:[\\/]/i.test(location)
    ? undefined
    : 'must be an https URL or the absolute path of a file';
}

/**
 * When to read a source next, or null if only on request. A read that took longer than the interval skips the times
 * that it missed, so the source comes after all others that are due. The shortest interval also applies to a source
 * that came with an import.
 */
export function nextSyncAt(source: DataSource, startedAt: number, endedAt = startedAt): number | null {
  if (source.kind === 'push' || source.schedule === null) return null;
  const everyMs = Math.max(SCHEDULE_MIN_MS, parseDuration(source.schedule) ?? 0);
  return startedAt + everyMs * (Math.floor((endedAt - startedAt) / everyMs) + 1);
}
