import { ID_PREFIXES } from '@svc/contract';
import { findPlaceOfId, type KindOfId } from '../../storage/statements/ids.ts';
import { notFound } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

const snakeCase = (kind: string) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Maps the prefix of an id to the kind of resource, such as `whe_` to `webhook_endpoint`. */
const KINDS = new Map(
  Object.entries({ ...ID_PREFIXES, evaluation: 'evl_' }).map(([kind, prefix]) => [prefix, snakeCase(kind) as KindOfId]),
);

export const findHandlers = {
  async find({ services, query: { id } }) {
    const type = KINDS.get(id.slice(0, 'whe_'.length));
    const place = type && (await services.storage.read((queries) => findPlaceOfId(queries, type, id)));
    if (place) return { id, type, ...place };
    const nowhere = { organizationId: null, workspaceId: null, parentId: null };
    if ((await services.faults.list()).some((fault) => fault.id === id)) return { id, type: 'fault', ...nowhere };
    if (!services.requestLog.find(id)) throw notFound('id', id);
    return { id, type: 'request', ...nowhere };
  },
} satisfies Partial<ControlHandlers>;
