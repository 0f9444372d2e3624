/** The pages that a newcomer follows from top to bottom, and how many blocks of code each has at least. */
export const PLAYED_PAGES = [
  ['mock-server/README.md', 3],
  ['docs/guides/receive-your-first-webhook.md', 7],
  ['docs/guides/seeds.md', 2],
  ['docs/guides/test-your-code.md', 5],
  ['docs/guides/test-with-node-or-jest.md', 5],
  ['docs/guides/test-with-msw.md', 2],
  ['docs/guides/test-in-a-browser.md', 4],
  ['docs/guides/develop-locally.md', 11],
  ['docs/guides/follow-a-delivery.md', 2],
  ['docs/guides/write-scripts.md', 1],
  ['docs/guides/control-api.md', 2],
  ['docs/guides/injecting-faults.md', 2],
  ['docs/guides/what-an-evaluation-does.md', 2],
  ['docs/guides/reproduce-a-bug.md', 9],
  ['docs/guides/run-a-fleet.md', 6],
] as const;
