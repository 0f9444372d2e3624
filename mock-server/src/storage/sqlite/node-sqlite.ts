import type * as Sqlite from 'node:sqlite';

/** Node 22 prints a warning that starts with this text when `node:sqlite` is loaded. */
const isSqliteWarning = (warning: unknown) => String(warning).startsWith('SQLite is an experimental feature');

function load(): typeof Sqlite {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: []) => {
    if (!isSqliteWarning(warning)) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    // A static `import` would load SQLite too early, before this code suppresses the warning.
    const sqlite: typeof Sqlite | undefined = process.getBuiltinModule('node:sqlite');
    if (sqlite) return sqlite;
    throw new Error(`@svc/mock-server requires Node 22.19 or later; this is Node ${process.versions.node}.`);
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const { DatabaseSync } = load();
