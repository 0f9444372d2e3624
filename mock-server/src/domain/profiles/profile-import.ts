export type { ImportedProfiles as ImportResult } from '@svc/contract/control/resources';

/** The format of an import: one profile on each line, or a JSON array of profiles. */
export type ImportFormat = 'ndjson' | 'json';
