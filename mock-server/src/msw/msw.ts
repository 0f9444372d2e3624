import * as msw from 'msw';

// This package lists MSW and Vitest only in `peerDependenciesMeta`. pnpm and Yarn treat such an entry as an optional
// peer of any version. With an entry in `peerDependencies`, npm would check the newest MSW's peer dependencies for
// conflicts. For example, npm would refuse updates in a project with Vitest 2.
if (!('http' in msw)) {
  throw new Error('@svc/mock-server/msw requires MSW 2 or later. Update msw, or use @svc/mock-server/testing.');
}

export const { http, HttpResponse } = msw;
