import { ConfigError } from '../config/config.ts';
import { latestMigration } from '../storage/migrations/index.ts';

export const FORMAT = 'svc-mock export';
export const VERSION = 1;

export interface ExportHeader {
  format: typeof FORMAT;
  version: number;
  schema: string;
  /** A value that identifies the master key, but does not reveal the key. Null if the data has no master key yet. */
  masterKeyMark: string | null;
  note: string;
  /** In base64. Present only with `--with-master-key`. */
  masterKey?: string;
}

/** @throws {@link ConfigError} if the line is not the header of an export that this version reads. */
export function parseHeader(line: string): ExportHeader {
  const header = parse(line);
  if (header.format !== FORMAT) throw new ConfigError('The file is not an svc-mock export.');
  if (header.version !== VERSION) {
    throw new ConfigError(
      `The export has format version ${header.version}, but this svc-mock reads version ${VERSION}.`,
    );
  }
  if (header.schema !== latestMigration) {
    throw new ConfigError(
      `The data was saved with the schema ${header.schema}, but this svc-mock has the schema ${latestMigration}. Use the version of svc-mock that saved the data.`,
    );
  }
  return header;
}

function parse(line: string): ExportHeader {
  try {
    return Object(JSON.parse(line)) as ExportHeader;
  } catch {
    return {} as ExportHeader;
  }
}
