import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, DEFAULT_CONFIG } from '../config/config.ts';
import { masterKeyFileIn } from '../config/data-folder.ts';
import { findMasterKey, keepMasterKey } from '../config/master-key.ts';
import { importedSource } from '../domain/profiles/data-source.ts';
import { createLogger } from '../runtime/logger.ts';
import type { Queries } from '../storage/port.ts';
import type { Database } from '../storage/schema/database.ts';
import { findSetting, saveSetting } from '../storage/statements/settings.ts';
import { lockStart } from '../storage/statements/start.ts';
import { isEmpty } from '../storage/transfer/rows.ts';
import type { TransferRow } from '../storage/transfer/tables.ts';
import { exportLines } from '../transfer/export-lines.ts';
import type { ExportHeader } from '../transfer/header.ts';
import { importLines } from '../transfer/import-lines.ts';
import { markOf } from './master-key-proof.ts';
import { openStorage } from './open-storage.ts';

/** Where a stopped server keeps its data. */
export interface DataPlace {
  dataDir: string;
  databaseUrl: string | undefined;
  masterKey: string | undefined;
}

const openOffline = (place: DataPlace) => openStorage({ ...DEFAULT_CONFIG, ...place }, createLogger('silent', 'text'));

/** Throws {@link ConfigError} if there is no data, or if a server is using the data. */
export async function exportOffline(
  place: DataPlace,
  { stable, withMasterKey }: { stable?: boolean | undefined; withMasterKey?: boolean | undefined },
  write: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  if (place.databaseUrl === undefined && !existsSync(join(place.dataDir, 'svc-mock.sqlite'))) {
    throw new ConfigError(`There is no data in ${place.dataDir}.`);
  }
  const keyFile = masterKeyFileIn(place.dataDir);
  const key = findMasterKey(place.masterKey, keyFile);
  if (withMasterKey && !key) throw new ConfigError(`There is no master key in ${keyFile}.`);
  const masterKey = withMasterKey ? key?.text : undefined;
  await using opened = await openOffline(place);
  await opened.storage.readSnapshot(async (queries) => {
    // Every server that starts on a database stores the mark.
    const isUsed = (await findSetting(queries, 'masterKeyMark')) !== undefined;
    if (!isUsed) throw new ConfigError(`There is no data in ${place.databaseUrl ? 'the database' : place.dataDir}.`);
    await write(exportLines(queries, { stable, masterKey }));
  });
}

/** Imports an export into an empty database. A failure leaves the database empty. Returns each table's row count. */
export async function importOffline(
  place: DataPlace,
  lines: AsyncIterable<string>,
  onProgress: (rows: number) => void,
): Promise<Map<string, number>> {
  const madeFrom = firstMissing(resolve(place.dataDir));
  const before = namesIn(place.dataDir);
  let isOpened = false;
  try {
    await using opened = await openOffline(place);
    isOpened = true;
    return await opened.storage.write((queries) => importInto(queries, place, lines, onProgress));
  } catch (error) {
    // Remove new files only if this process had locked the folder. Otherwise, another process may be using the files.
    const wasLocked = isOpened && place.databaseUrl === undefined;
    if (wasLocked && madeFrom !== undefined) rmSync(madeFrom, { recursive: true, force: true });
    else if (wasLocked) removeNew(place.dataDir, before);
    throw error;
  }
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

function removeNew(folder: string, before: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    if (/^(svc-mock\.sqlite|server\.lock)/.test(name) && !before.includes(name)) rmSync(join(folder, name));
  }
}

/** Returns the outermost missing folder of a path. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}

async function importInto(
  queries: Queries,
  place: DataPlace,
  lines: AsyncIterable<string>,
  onProgress: (rows: number) => void,
): Promise<Map<string, number>> {
  await lockStart(queries);
  const where = place.databaseUrl === undefined ? place.dataDir : 'The database';
  if (!(await isEmpty(queries))) throw new ConfigError(`${where} is not empty. Import into an empty database.`);
  const mark = await findSetting(queries, 'masterKeyMark');
  let keep = () => {};
  const counts = await importLines(queries, lines, {
    onProgress,
    adapt: distrustFiles,
    async checkHeader(header) {
      keep = checkMasterKey(place, header, mark);
      if (mark === undefined && header.masterKeyMark !== null) {
        await saveSetting(queries, 'masterKeyMark', header.masterKeyMark);
      }
    },
  });
  keep();
  return counts;
}

function distrustFiles(table: keyof Database, row: TransferRow): TransferRow {
  if (table !== 'lifecycles' || typeof row['source'] !== 'string') return row;
  return { ...row, source: JSON.stringify(importedSource(JSON.parse(row['source']))) };
}

/** Returns a function that stores the key of the export if there is no key yet. */
function checkMasterKey(place: DataPlace, header: ExportHeader, mark: string | undefined): () => void {
  if (header.masterKeyMark === null) return () => {};
  const file = masterKeyFileIn(place.dataDir);
  const found = findMasterKey(place.masterKey, file) ?? findMasterKey(header.masterKey, undefined);
  if (!found) {
    throw new ConfigError(
      `The export does not contain its master key. Copy master.key from the server that created the data to ${file}, or set SVC_MASTER_KEY to that key.`,
    );
  }
  if (markOf(found.key) !== header.masterKeyMark) {
    throw new ConfigError('The master key does not belong to this export, so the secrets cannot be derived.');
  }
  if (mark !== undefined && mark !== header.masterKeyMark) {
    throw new ConfigError('The database was used with another master key. Import into a new database.');
  }
  return () => {
    if (place.masterKey === undefined && !existsSync(file)) keepMasterKey(file, found.text);
  };
}
