import { selectFrom } from '../../storage/keyset.ts';
import { respondWithPage } from '../list.ts';
import type { Handler } from '../operation.ts';

/** The catalog is the same for every workspace. Like any other list, it has pages. It is sorted by type. */
export const listEventTypes: Handler<'listEventTypes' | 'listEventTypesByShortPath'> = async (request) =>
  await respondWithPage(
    { ...request, list: 'event-types' },
    selectFrom(request.services.catalog.list(), (item) => item.type),
    (item) => item.type,
    (item) => item,
  );
