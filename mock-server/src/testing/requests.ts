import type { ControlRequest, RequestFilters } from '@svc/contract/control/resources';
import type { ControlClient } from '../control-client/client.ts';

const PAGE_SIZE = 100;

/** Lists all requests to the API that match the filters, newest first. */
export async function listRequests(control: ControlClient, filters: RequestFilters = {}): Promise<ControlRequest[]> {
  const requests: ControlRequest[] = [];
  let page: string | undefined;
  do {
    const { data, nextPageUrl } = await control.listRequests({ ...filters, limit: PAGE_SIZE, page });
    requests.push(...data);
    page = nextPageUrl === null ? undefined : (new URL(nextPageUrl).searchParams.get('page') ?? undefined);
  } while (page !== undefined);
  return requests;
}
