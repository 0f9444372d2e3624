/**
 * Waits for statements that do not depend on each other. On PostgreSQL, all statements are sent together. When the
 * promise settles, all statements have ended, so no statement runs after the caller has rolled back the transaction.
 *
 * @throws the error of the first failed statement, in the order of the arguments.
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
