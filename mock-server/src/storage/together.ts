/**
 * Waits for independent statements, which PostgreSQL receives together. Settles only when all statements have ended, so
 * that no statement runs after a rollback. Throws the first failed statement's error, in the order of the arguments.
 */
export async function together<const Statements extends readonly unknown[]>(
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  const settled = await Promise.allSettled(statements);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }) as { -readonly [Index in keyof Statements]: Awaited<Statements[Index]> };
}
