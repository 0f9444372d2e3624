import { ConfigError } from '../config/config.ts';
import { migrations, readableMigrations } from '../storage/migrations/index.ts';

export const FORMAT = 'svc-mock export';
export const VERSION = 1;

/** Returns the name of the latest schema migration. */
export const schemaName = (): string => Object.keys(migrations).sort().at(-1) ?? '';

export interface ExportHeader {
  format: typeof FORMAT;
  version: number;
  /** The name of the latest schema migration. */
  schema: string;
  /** A value that identifies the master key, but does not reveal the key. Null if the data has no master key yet. */
  masterKeyMark: string | null;
  /** A sentence that says whether the file contains the master key. */
  note: string;
  /** The master key in base64. Present only with `--with-master-key`. */
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
  if (!readableMigrations.includes(header.schema)) {
    throw new ConfigError(
      `The export has the schema ${header.schema}, but this svc-mock has ${schemaName()}. Use the same version of svc-mock for the export and the import.`,
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
