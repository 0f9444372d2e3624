import * as msw from 'msw';

// The package names MSW and Vitest only in `peerDependenciesMeta`. pnpm and Yarn read that as an optional peer of any
// version. npm would also look for conflicts with the peers of the newest MSW, and refuse updates in a project with
// Vitest 2, for example.
if (!('http' in msw)) {
  throw new Error('@svc/mock-server/msw requires MSW 2 or later. Update msw, or use @svc/mock-server/testing.');
}

export const { http, HttpResponse } = msw;
