import * as msw from 'msw';

// The package declares no range, because npm would refuse to install it beside MSW 1, also for those who never import
// this entry.
if (!('http' in msw)) {
  throw new Error('@svc/mock-server/msw requires MSW 2 or later. Update msw, or use @svc/mock-server/testing.');
}

export const { http, HttpResponse } = msw;
