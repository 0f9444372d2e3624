import type { Clock } from '../domain/instant.ts';
import { ImportError, type ImportFormat, type ImportResult } from '../domain/profiles/profile-import.ts';
import { type ParsedProfile, parseProfile } from '../domain/profiles/profile-input.ts';
import { searchedTexts } from '../domain/search.ts';
import type { Ids } from '../runtime/ids.ts';
import { createPauses, type Pauses } from '../runtime/pauses.ts';
import { upsertProfiles } from '../storage/changes/profiles.ts';
import { DataReplacedError, type Queries, type Storage, StorageUnavailableError } from '../storage/port.ts';
import { createArraySplitter, createLineSplitter, type RawRecord, RECORD_MAX_BYTES } from './split-records.ts';

export type ImportCounts = Pick<ImportResult, 'created' | 'updated' | 'unchanged' | 'rejected'>;

export interface ImportTools {
  storage: Pick<Storage, 'write'>;
  ids: Ids;
  clock: Clock;
  /** Default: the pauses that all imports of the process share. */
  pauses?: Pauses;
  onBatch?(batch: ImportCounts, soFar: ImportResult): void;
}

/** The limits of a batch. Larger transactions are a little faster, but other writes wait longer. */
export const BATCH_RECORDS = 200;
const BATCH_BYTES = 256 * 1024;
/** Indexing a character of a searched field takes as long as storing this many bytes. */
const BYTES_PER_INDEXED = 24;
const PROBLEMS_MAX = 100;
/** Each chunk is parsed in parts of this size. The event loop can run after each part, even if no record ends there. */
const PART_BYTES = 16 * 1024;

const processPauses = createPauses();

/**
 * Imports profiles in batches, each in one transaction. If the stream ends early, the profiles received so far are
 * stored. Sending the same stream again is safe.
 *
 * @throws {@link ImportError} if the data does not have the given format, or if the stream ends early.
 */
export async function importProfiles(
  { storage, ids, clock, pauses = processPauses, onBatch }: ImportTools,
  workspaceId: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: ImportFormat,
): Promise<ImportResult> {
  const splitter = format === 'ndjson' ? createLineSplitter() : createArraySplitter();
  const result: ImportResult = { upserted: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, problems: [] };
  let batch: ({ line: number } & ParsedProfile)[] = [];
  let batchBytes = 0;

  async function store(): Promise<void> {
    const records = batch;
    batch = [];
    batchBytes = 0;
    const inputs = records.flatMap((record) => ('input' in record ? [record.input] : []));
    const now = clock.now();
    const upsert = (queries: Queries) => upsertProfiles(queries, ids, { workspaceId, inputs, now });
    const outcomes = inputs.length === 0 ? [] : await storage.write(upsert, { isBulk: true });
    const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
    for (const record of records) {
      const outcome = 'problem' in record ? record : outcomes.shift();
      if (typeof outcome === 'string') counts[outcome]++;
      else if (outcome) {
        counts.rejected++;
        if (result.problems.length < PROBLEMS_MAX)
          result.problems.push({ line: record.line, message: outcome.problem });
      }
    }
    for (const name of ['created', 'updated', 'unchanged', 'rejected'] as const) result[name] += counts[name];
    result.upserted = result.created + result.updated + result.unchanged;
    onBatch?.(counts, result);
  }

  async function take(records: Iterable<RawRecord>): Promise<void> {
    await pauses.pauseIfLong();
    for (const { line, bytes } of records) {
      const parsed = bytes ? parseProfile(bytes) : TOO_LONG;
      batch.push({ line, ...parsed });
      if ('input' in parsed) batchBytes += BYTES_PER_INDEXED * searchedTexts(parsed.input).join('').length;
      batchBytes += bytes?.length ?? 0;
      if (batch.length >= BATCH_RECORDS || batchBytes >= BATCH_BYTES) await store();
      // If thousands of records are rejected, only this pause lets the event loop run.
      await pauses.pauseIfLong();
    }
  }

  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PART_BYTES)
        await take(splitter.push(chunk.subarray(at, at + PART_BYTES)));
    }
    await take(splitter.end());
    await store();
  } catch (error) {
    if (!(error instanceof ImportError)) throw result.upserted > 0 ? afterEarlierBatches(error) : error;
    await store();
    throw new ImportError(`${error.message} ${storedUntilThen(result)}`, { cause: error, isTooSlow: error.isTooSlow });
  }
  return result;
}

const TOO_LONG: ParsedProfile = { problem: `The profile is longer than ${RECORD_MAX_BYTES} bytes.` };

const storedUntilThen = ({ upserted }: ImportResult) =>
  upserted === 0
    ? 'Nothing was imported.'
    : `Profiles imported before this error: ${upserted}. Send all profiles again.`;

/** Adds to an error that earlier batches were imported. After a {@link DataReplacedError}, these batches are gone. */
function afterEarlierBatches(error: unknown): unknown {
  if (!(error instanceof StorageUnavailableError) || error instanceof DataReplacedError) return error;
  return new StorageUnavailableError(error.message, { cause: error, outcome: 'imported' });
}
