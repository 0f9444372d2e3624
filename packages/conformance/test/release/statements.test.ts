import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTarget, startFetchHandler, startMsw } from '../../matrix/targets.ts';
import { runStatements } from '../../src/run.ts';
import { statements } from '../../src/statements.ts';
import { withDefect } from '../support/broken.ts';
import { defects } from '../support/defects.ts';

// The packed command runs them over HTTP. `npm run conformance` also runs them on PostgreSQL, with one server and with
// three.
test("every statement holds through MSW's handlers", async () => {
  await using running = await startMsw();
  const results = await runStatements(running.target, statements);
  expect(
    results.flatMap(({ statement, reason }) => (reason === undefined ? [] : [`${statement.id}: ${reason}`])),
  ).toEqual([]);
});

describe('By the fetch handler,', () => {
  let running: RunningTarget;
  beforeAll(async () => {
    running = await startFetchHandler();
  });
  afterAll(() => running[Symbol.asyncDispose]());

  // Every check first resets the service.
  test.each(defects)('a service that $does does not pass', async (defect) => {
    const asked = statements.filter(({ id }) => id === defect.caughtBy);
    const [whole] = await runStatements(running.target, asked);
    const [broken] = await runStatements(withDefect(running.target, defect), asked);
    expect(whole?.outcome).toBe('pass');
    expect(broken?.outcome).toBe(asked[0]?.source === 'document' ? 'fail' : 'differs');
  });
});
