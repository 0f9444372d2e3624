import type { RequestFilters } from '@svc/contract/control/types';
import type { control } from '../../src/data/control.ts';
import type { controlPath } from '../../src/data/control-path.ts';
import { queryFrom, urlFilters } from '../../src/data/url-filters.ts';

declare const call: typeof control;
declare const path: typeof controlPath;

export const calls = [
  call('GET', '/faults'),
  call('GET', '/users', { query: { q: 'ada', limit: 100 } }),
  call('GET', '/users', { pageUrl: '/_control/users?page=x' }),
  call('GET', '/requests', { query: { method: 'OPTIONS' } }),
  call('GET', '/requests', { query: queryFrom<RequestFilters>(urlFilters(['method'], {})) }),
  call('GET', '/find', { query: { id: 'evt_1' } }),
  call('PUT', '/organizations/{organizationId}/members/{userId}', {
    params: { organizationId: 'org_1', userId: 'usr_1' },
    body: { role: 'Admin' },
  }),
  path('GET', '/openapi.json'),
  path('DELETE', '/faults/{faultId}', { faultId: 'flt_1' }),
];

// The path and the method.
// @ts-expect-error: no such path.
call('GET', '/fault');
// @ts-expect-error: the path has no such method.
call('PUT', '/faults');
// @ts-expect-error: the path has no such method.
path('POST', '/users/{userId}', { userId: 'usr_1' });
// @ts-expect-error: the prefix is not part of the path.
path('GET', '/_control/info');

// The parameters of the path.
// @ts-expect-error: the fault is missing.
call('DELETE', '/faults/{faultId}');
// @ts-expect-error: the parameter has another name.
call('DELETE', '/faults/{faultId}', { params: { id: 'flt_1' } });
// @ts-expect-error: the fault is missing.
path('DELETE', '/faults/{faultId}');

// The query.
// @ts-expect-error: the id is missing.
call('GET', '/find');
// @ts-expect-error: no such parameter.
call('GET', '/users', { query: { name: 'ada' } });
// @ts-expect-error: the parameter has another type.
call('GET', '/requests', { query: { ignored: 'yes' } });
// @ts-expect-error: no such method.
call('GET', '/requests', { query: { method: 'FETCH' } });
// @ts-expect-error: the list has no such filter.
queryFrom<RequestFilters>(urlFilters(['colour'], {}));
// @ts-expect-error: it has no query.
call('GET', '/faults', { query: { limit: 1 } });
// @ts-expect-error: its response is not a page.
call('GET', '/faults', { pageUrl: '/_control/faults?page=x' });

// The body.
// @ts-expect-error: the body is missing.
call('POST', '/users');
// @ts-expect-error: the email is missing.
call('POST', '/users', { body: { name: 'Ada' } });
call('PUT', '/workspaces/{workspaceId}/members/{userId}', {
  params: { workspaceId: 'wsp_1', userId: 'usr_1' },
  // @ts-expect-error: no such role.
  body: { role: 'King' },
});
// @ts-expect-error: it has no body.
call('DELETE', '/faults', { body: {} });

export async function answers() {
  const { faults } = await call('GET', '/faults');
  // @ts-expect-error: it has another name.
  (await call('GET', '/faults')).data;
  // @ts-expect-error: a user has no role.
  (await call('GET', '/users')).data[0]?.role;
  return faults;
}
