import type * as Sqlite from 'node:sqlite';

/** Node 22 calls its SQLite experimental as soon as it is loaded. */
const isSqliteWarning = (warning: unknown) => String(warning).startsWith('SQLite is an experimental feature');

/** Loads the runtime's SQLite without that one warning. Every other warning is printed. */
function load(): typeof Sqlite {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: []) => {
    if (!isSqliteWarning(warning)) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    // Not by `import`, which would load it before this function runs.
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const { DatabaseSync } = load();
