/**
 * Waits for statements that do not depend on each other. PostgreSQL receives the statements and responds to them
 * together.
 *
 * All statements have ended when it resolves or rejects, so none continues after another one has broken the
 * transaction.
 *
 * @throws the error of the first one that failed, in the order of the arguments.
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
